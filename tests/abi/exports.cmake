# Run as a test: every plugin in PLUGINS exports poslab_plugin_v1 and nothing else, and has no static constructor: the
# array of what runs at loading holds at most one entry, the compiler's own (not so with sanitizers).
file(GLOB plugins ${PLUGINS}/*.so)
if(NOT plugins)
  message(FATAL_ERROR "no plugins in ${PLUGINS}")
endif()
foreach(plugin ${plugins})
  execute_process(COMMAND ${NM} --dynamic --defined-only ${plugin} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  if(NOT symbols MATCHES "^[0-9a-f]+ [A-Z] poslab_plugin_v1\n$")
    message(SEND_ERROR "${plugin} exports\n${symbols}")
  endif()
  execute_process(COMMAND ${READELF} --sections --wide ${plugin} OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
  if(NOT SANITIZE AND sections MATCHES "\\.init_array +INIT_ARRAY +[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+)"
      AND NOT CMAKE_MATCH_1 STREQUAL "000008")
    message(SEND_ERROR "${plugin} runs code when it is loaded: its .init_array has 0x${CMAKE_MATCH_1} bytes")
  endif()
endforeach()
