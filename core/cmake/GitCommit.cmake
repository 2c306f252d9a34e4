# Run at each build: writes OUT with the commit of SOURCE, touching it only when it changed.
execute_process(COMMAND git -C ${SOURCE} describe --always --abbrev=40 --dirty --exclude=* OUTPUT_VARIABLE commit
  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "static constexpr const char* poslab_git_commit = \"${commit}\";\n")
