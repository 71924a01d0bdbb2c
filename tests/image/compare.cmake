# SPDX-License-Identifier: BSD-3-Clause
# One image test: renders, compares, leaves picture and difference in OUT when they disagree.
file(MAKE_DIRECTORY ${OUT})
set(picture ${OUT}/${NAME}.${FORMAT})
set(baseline ${BASELINES}/${NAME}.${FORMAT})
file(REMOVE ${picture} ${OUT}/${NAME}-difference.png)

execute_process(COMMAND ${PROGRAM} ${ARGUMENTS} -o ${picture} RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "fathom ${ARGUMENTS} ended with ${code}")
endif()
if(NOT EXISTS ${baseline})
  message(FATAL_ERROR "no baseline: look at ${picture}, then copy it to ${baseline}")
endif()
execute_process(COMMAND ${PROGRAM} compare ${picture} ${baseline} --fail-psnr-below ${PSNR}
  -o ${OUT}/${NAME}-difference.png RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "differs from the baseline: see ${picture} and ${NAME}-difference.png")
endif()
file(REMOVE ${OUT}/${NAME}-difference.png)
