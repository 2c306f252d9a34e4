# Run by CPack when the files of the package lie in a folder of their own: what Debian has elsewhere, compressed, or besides.
set(usr ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/usr)
set(doc ${usr}/share/doc/poslab)
set(source ${CMAKE_CURRENT_LIST_DIR}/../..)

# What it needs is Debian's, in the loader's own folders.
foreach(file bin/poslab lib/libposlab.so)
  file(RPATH_REMOVE FILE ${usr}/${file})
endforeach()

# Where its Python and its zsh look.
file(GLOB of_python LIST_DIRECTORIES true ${usr}/lib/python3.*)
file(REMOVE_RECURSE ${of_python})
file(WRITE ${usr}/lib/python3/dist-packages/poslab.pth "../../../share/poslab/python\n")
file(RENAME ${usr}/share/zsh/site-functions ${usr}/share/zsh/vendor-completions)

configure_file(${source}/core/package/deb/copyright ${doc}/copyright COPYONLY)
configure_file(${source}/CHANGELOG.md ${doc}/changelog COPYONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of the commit, by SOURCE_DATE_EPOCH
file(WRITE ${doc}/changelog.Debian "poslab (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Made by ./dev deb; what is new in poslab is in changelog.gz.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
execute_process(COMMAND gzip -9n ${doc}/changelog ${doc}/changelog.Debian ${usr}/share/man/man1/poslab.1 COMMAND_ERROR_IS_FATAL ANY)
