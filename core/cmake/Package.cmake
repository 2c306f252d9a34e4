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
install(FILES ${sdk_misspelt} DESTINATION include/poslab/sdk)
install(EXPORT poslabTargets NAMESPACE poslab:: DESTINATION lib/cmake/poslab)
install(FILES ${package}/poslabConfig.cmake ${package}/poslabConfigVersion.cmake ${package_files}
  DESTINATION lib/cmake/poslab)
install(DIRECTORY experiments/studies DESTINATION share/poslab)
install(DIRECTORY results/notebooks DESTINATION share/poslab FILES_MATCHING PATTERN *.ipynb PATTERN .ipynb_checkpoints EXCLUDE PATTERN page EXCLUDE)
install(DIRECTORY results/python DESTINATION share/poslab FILES_MATCHING PATTERN *.py PATTERN viewer.html PATTERN py.typed PATTERN pyproject.toml PATTERN build EXCLUDE
  PATTERN __pycache__ EXCLUDE PATTERN *.egg-info EXCLUDE)
# The pages, which `poslab find` searches: as they lie in the tree, so that they lead to one another. Those of the studies are
# beside the studies; those of the gallery repeat what the program says.
file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/core/*.md ${CMAKE_SOURCE_DIR}/plugins/*.md
  ${CMAKE_SOURCE_DIR}/experiments/*.md ${CMAKE_SOURCE_DIR}/results/*.md)
list(FILTER pages EXCLUDE REGEX "^(core/scaffold/templates|experiments/studies|plugins/gallery)/")
file(REMOVE_RECURSE ${CMAKE_BINARY_DIR}/share/poslab/pages)
foreach(page ${pages})
  get_filename_component(folder ${page} DIRECTORY)
  install(FILES ${page} DESTINATION share/poslab/pages/${folder})
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/poslab/pages/${folder})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${page} ${CMAKE_BINARY_DIR}/share/poslab/pages/${page} SYMBOLIC)
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/poslab)  # where the program looks, in the build tree as in an installation
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/results/python ${CMAKE_BINARY_DIR}/share/poslab/python SYMBOLIC)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/experiments/studies ${CMAKE_BINARY_DIR}/share/poslab/studies SYMBOLIC)
install(FILES ${CMAKE_BINARY_DIR}/share/man/man1/poslab.1 DESTINATION share/man/man1)
install(FILES core/app/shell/poslab.bash DESTINATION share/bash-completion/completions RENAME poslab)
install(FILES core/app/shell/_poslab DESTINATION share/zsh/site-functions)
install(FILES core/app/shell/poslab.fish DESTINATION share/fish/vendor_completions.d)
# Where Python looks if the prefix is /usr/local (Debian's: dist-packages, others: site-packages) or ~/.local: a line that leads
# to share/poslab/python. Elsewhere PYTHONPATH does.
execute_process(COMMAND ${POSLAB_PYTHON} -c "import sys; print('python%d.%d' % sys.version_info[:2], end='')"
  OUTPUT_VARIABLE python ERROR_QUIET RESULT_VARIABLE no_python)
if(NOT no_python)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/lib/poslab.pth CONTENT "../../../share/poslab/python\n")
  foreach(packages dist-packages site-packages)
    install(FILES ${CMAKE_BINARY_DIR}/lib/poslab.pth DESTINATION lib/${python}/${packages})
  endforeach()
endif()
add_custom_target(uninstall VERBATIM
  COMMAND ${CMAKE_COMMAND} -DMANIFEST=${CMAKE_BINARY_DIR}/install_manifest.txt -P ${CMAKE_CURRENT_LIST_DIR}/Uninstall.cmake)
export(EXPORT poslabTargets NAMESPACE poslab:: FILE ${package}/poslabTargets.cmake)
include(Debian)
