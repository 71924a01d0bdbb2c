# SPDX-License-Identifier: BSD-3-Clause
# The tests as programs for Windows, run under Wine: what is left out, each with its reason. All else is
# what Linux runs.

# A crash is a result: nobody debugs it.
set(FATHOM_TEST_ENVIRONMENT [[
set(ENV{FATHOM_TEST_LAUNCHER} wine)
set(ENV{WINEDEBUG} -all)
set(ENV{WINEDLLOVERRIDES} "winedbg.exe=d;mscoree=d;mshtml=d")
]])

# Folders of tests that are no programs of GoogleTest, or of what there is no other system for.
set(FATHOM_FOLDERS_LEFT_OUT
  hosts    # MPI, IceT, VTK
  attack   # scripts that start the program
  python   # the package is not built
  desktop  # files of Linux desktops
  races    # replaces functions of EGL
  passes   # the suites once more on other drivers of Mesa
  docs)    # scripts that start the program

# Suites.
set(FATHOM_SUITES_LEFT_OUT
  deep.rank-composite deep.rank-scaling  # MPI
  fuzz.deep-exr)  # reads files in memory, by /proc

# Programs that tests compare with, or that read what ours writes: those of Linux.
foreach(peer OIIOTOOL CHROMIUM FFMPEG FFPROBE FLAM3_RENDER)
  set(${peer} OFF CACHE FILEPATH "")
endforeach()

# Tests, as GoogleTest's filter names them.
set(FATHOM_TESTS_LEFT_OUT
  # OpenColorIO.
  ColorTest.ConfigsNameTheirDisplaysAndViews
  ColorTest.CubesCurvesAndLooksAreThoseOfTheLibrary
  OutputColors.AreThoseOfTheDisplayOrSpaceThatIsSet
  # Links among files, which the C++ library of MinGW-w64 does not make.
  AtomicFiles.LinksAreFollowed
  ReadFile.RefusesWhatNeedNotEnd
  ReadFile.TakesRegularFilesAndLinksToThem
  SmoeTechniqueTest.TheRecoveryCopyIsMadeInMemory
  # Devices among files, /proc, named pipes, permissions and folders as on Linux.
  AtomicFiles.DevicesAreWrittenNotReplaced
  AtomicFiles.FullDiskIsNamed
  AtomicFiles.PermissionsOfTheReplacedFileStay
  ConfigPaths.FollowXdg
  Files.PipesAreRefused
  Files.WhatTheySayDoesNotReachTheTerminalAsItIs
  FormatsTest.BuffersInDevicesAreRefused
  Output.ToAFolderOrWhereNoFileGoesIsRefused
  ReadFile.CountsWhatAFileDoesNotTell
  StandardOutput.ThatIsFullIsAnError
  # Limits of files and memory, which Wine does not keep.
  Limits.EndACommandInOneLine
  Output.OnAFullDiskLeavesTheOldFile
  # Windows counts processor time in steps of 16 ms.
  Runs.FindsHalfAsMuchWorkAgainInRealRunsAndNothingElse
  # Ctrl+C in a console, which Wine has none of here.
  DofCommand.ABenchEndsWhenInterrupted
  Interrupt.*
  SmoeCommand.CtrlCLeavesACheckpointThatGoesOn
  # Programs of Linux: sh, bash, cc, python3.
  Completion.OffersWordsFlagsAndValues
  FdpReader.*
  Output.OfNothingOnStandardInputLeavesNoTemporaryFolder
  ProgramOutput.*
  SmoeAlpha.AnIndependentDecoderOfPackedFilesAgrees
  SmoeBenches.RateMeasuresTheFilesThatAreGiven
  # EGL: a machine without a driver.
  Device.MissingIsExitCode77
  Info.ReportsWithoutADeviceAndWithoutPaths
  ContextDeathTest.SaysInOneLineWhatWasTried
  ContextTest.TakesASurfaceOver)
list(JOIN FATHOM_TESTS_LEFT_OUT ":" FATHOM_TESTS_LEFT_OUT)
string(APPEND FATHOM_TEST_ENVIRONMENT "set(ENV{FATHOM_TEST_LEFT_OUT} \"${FATHOM_TESTS_LEFT_OUT}\")\n")
string(PREPEND FATHOM_TESTS_LEFT_OUT "-")
