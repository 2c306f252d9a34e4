# What find_package(poslab) finds: headers, the program, and poslab_add_scheme. In an installation under lib/cmake/poslab;
# and at the same place of the build tree, so that a scheme of one's own can be built against a poslab that is not installed.
include(CMakePackageConfigHelpers)
set(package ${CMAKE_BINARY_DIR}/lib/cmake/poslab)
set(package_files ${CMAKE_CURRENT_LIST_DIR}/PoslabScheme.cmake ${CMAKE_CURRENT_LIST_DIR}/one_symbol.map)
configure_file(${CMAKE_CURRENT_LIST_DIR}/poslabConfig.cmake.in ${package}/poslabConfig.cmake @ONLY)
write_basic_package_version_file(${package}/poslabConfigVersion.cmake COMPATIBILITY SameMajorVersion)
file(COPY ${package_files} DESTINATION ${package})

set_target_properties(poslab_sdk PROPERTIES EXPORT_NAME sdk)
install(TARGETS poslab_sdk poslab EXPORT poslabTargets RUNTIME DESTINATION bin)
install(DIRECTORY core/sdk/include/poslab DESTINATION include)
install(EXPORT poslabTargets NAMESPACE poslab:: DESTINATION lib/cmake/poslab)
install(FILES ${package}/poslabConfig.cmake ${package}/poslabConfigVersion.cmake ${package_files}
  DESTINATION lib/cmake/poslab)
install(DIRECTORY results/python DESTINATION share/poslab PATTERN __pycache__ EXCLUDE PATTERN build EXCLUDE PATTERN *.egg-info EXCLUDE)
install(DIRECTORY results/notebooks DESTINATION share/poslab PATTERN .ipynb_checkpoints EXCLUDE)
install(DIRECTORY experiments/studies DESTINATION share/poslab)
export(EXPORT poslabTargets NAMESPACE poslab:: FILE ${package}/poslabTargets.cmake)
