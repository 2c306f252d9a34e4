# Run at each link of the program: writes OUT, the manual that PROGRAM prints.
execute_process(COMMAND ${PROGRAM} manual OUTPUT_VARIABLE manual RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${PROGRAM} manual: ${failed}")
endif()
file(WRITE ${OUT} "${manual}")
