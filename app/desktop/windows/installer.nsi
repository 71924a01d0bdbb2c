; SPDX-License-Identifier: BSD-3-Clause
; Installs what the archive holds: menu entry, file types, uninstaller. -DVERSION -DSTAGE -DOUT.
Target amd64-unicode
SetCompressor /SOLID lzma
Name "Fathom ${VERSION}"
OutFile "${OUT}"
InstallDir "$PROGRAMFILES64\Fathom"
InstallDirRegKey HKLM "Software\Fathom" "Folder"
RequestExecutionLevel admin
LicenseData "${STAGE}/licenses/fathom"
Page license
Page directory
Page instfiles
UninstPage uninstConfirm
UninstPage instfiles

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Fathom"

; A kind of file that only Fathom opens, or that it is offered for.
!macro OWN extension text
  WriteRegStr HKLM "Software\Classes\.${extension}" "" "Fathom.${extension}"
  !insertmacro OFFERED ${extension} "${text}"
!macroend
!macro OFFERED extension text
  WriteRegStr HKLM "Software\Classes\.${extension}\OpenWithProgids" "Fathom.${extension}" ""
  WriteRegStr HKLM "Software\Classes\Fathom.${extension}" "" "${text}"
  WriteRegStr HKLM "Software\Classes\Fathom.${extension}\DefaultIcon" "" "$INSTDIR\bin\fathom.exe,0"
  WriteRegStr HKLM "Software\Classes\Fathom.${extension}\shell\open\command" "" \
    '"$INSTDIR\bin\fathom.exe" view "%1"'
!macroend
!macro FORGOTTEN extension
  DeleteRegKey HKLM "Software\Classes\Fathom.${extension}"
  DeleteRegValue HKLM "Software\Classes\.${extension}\OpenWithProgids" "Fathom.${extension}"
  ReadRegStr $0 HKLM "Software\Classes\.${extension}" ""
  StrCmp $0 "Fathom.${extension}" 0 +2
  DeleteRegValue HKLM "Software\Classes\.${extension}" ""
  DeleteRegKey /ifempty HKLM "Software\Classes\.${extension}\OpenWithProgids"
  DeleteRegKey /ifempty HKLM "Software\Classes\.${extension}"
!macroend

Section
  SetShellVarContext all
  SetRegView 64
  SetOutPath "$INSTDIR"
  File /r "${STAGE}/*"
  WriteUninstaller "$INSTDIR\uninstall.exe"
  CreateShortcut "$SMPROGRAMS\Fathom.lnk" "$INSTDIR\bin\fathom.exe"
  WriteRegStr HKLM "Software\Fathom" "Folder" "$INSTDIR"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayName" "Fathom"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${UNINSTALL}" "DisplayIcon" "$INSTDIR\bin\fathom.exe,0"
  WriteRegStr HKLM "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  !insertmacro OWN fdp "Packed deep image"
  !insertmacro OWN flame "Flame"
  !insertmacro OWN smoe "Steered mixture of experts"
  !insertmacro OWN icet "Compressed frame of IceT"
  !insertmacro OFFERED exr "OpenEXR image"
SectionEnd

Section "Uninstall"
  SetShellVarContext all
  SetRegView 64
  Delete "$SMPROGRAMS\Fathom.lnk"
  RMDir /r "$INSTDIR\bin"
  RMDir /r "$INSTDIR\share"
  RMDir /r "$INSTDIR\licenses"
  Delete "$INSTDIR\uninstall.exe"
  RMDir "$INSTDIR"
  !insertmacro FORGOTTEN fdp
  !insertmacro FORGOTTEN flame
  !insertmacro FORGOTTEN smoe
  !insertmacro FORGOTTEN icet
  !insertmacro FORGOTTEN exr
  DeleteRegKey HKLM "Software\Fathom"
  DeleteRegKey HKLM "${UNINSTALL}"
SectionEnd
