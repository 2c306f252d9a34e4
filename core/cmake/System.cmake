# What poslab is built for, before a compiler is asked; core/package/platforms.md says more.
if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux")
  message(FATAL_ERROR "poslab runs on Linux alone, and this is ${CMAKE_SYSTEM_NAME}: workers, locks and plugins use what only Linux has. "
    "A container or a virtual machine of Linux runs it (core/package/platforms.md)")
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  message(WARNING "poslab is tested on x86-64 alone, and this is ${CMAKE_SYSTEM_PROCESSOR}: what is known of it there is in core/package/platforms.md")
endif()
