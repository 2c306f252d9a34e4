# What core/run/common/version.cpp says of this build: versions, flags, and the commit, looked up at each build.
set(commit ${CMAKE_BINARY_DIR}/generated/git_commit.inc)
add_custom_target(poslab_git_commit BYPRODUCTS ${commit} COMMENT ""
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${commit} -P ${PROJECT_SOURCE_DIR}/core/cmake/GitCommit.cmake)
add_dependencies(poslab_run poslab_git_commit)
target_include_directories(poslab_run PRIVATE ${CMAKE_BINARY_DIR}/generated)
target_link_libraries(poslab_run PRIVATE Eigen3::Eigen TBB::tbb)  # whose versions it names
string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
string(REPLACE "-march=" "" arch "${POSLAB_ARCH_FLAGS}")
set_source_files_properties(core/run/common/version.cpp PROPERTIES COMPILE_DEFINITIONS
  "POSLAB_VERSION=\"${PROJECT_VERSION}\";POSLAB_HDF5_VERSION=\"${HDF5_VERSION}\";POSLAB_ARCH=\"${arch}\";POSLAB_COMPILE_FLAGS=\"${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}} -ffp-contract=off ${POSLAB_ARCH_FLAGS}\"")
