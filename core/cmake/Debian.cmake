# `cpack -G DEB`, as `./dev deb` calls it: poslab as a package for Debian 12 and later. What Debian wants that no other
# installation does is done by DebianTree.cmake, on the files that are about to be packed.
set(POSLAB_MAINTAINER "The contributors of poslab <see-the-issue-tracker@poslab.invalid>" CACHE STRING
  "Who passes the Debian package on: a name and an address, which the format demands")
set(CPACK_PACKAGE_NAME poslab)
set(CPACK_PACKAGE_VENDOR "The contributors of poslab")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "laboratory for the positional encodings of Transformers")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Loads encoding schemes as plugins, puts all of them through the same
experiments, and writes one HDF5 file, in which every number has a unit, a
meaning, a standard error where it is sampled, and the value without positions
beside it.
.
It holds the program, the schemes, headers to build one's own against, studies,
pages, and the Python package, which reads and draws results and calls schemes.
It is built for processors with AVX2 and FMA (x86-64-v3).")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_STRIP_FILES TRUE)
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${POSLAB_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# The libraries are found by dpkg-shlibdeps. With the recommended ones the Python package reads, draws and reports.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3 (>= 3.11)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-h5netcdf, python3-h5py, python3-matplotlib, python3-numpy, python3-pandas, python3-tqdm, python3-xarray")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, g++, ninja-build, parallel, slurm-client")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/core/package/deb/postinst ${PROJECT_SOURCE_DIR}/core/package/deb/prerm
  ${PROJECT_SOURCE_DIR}/core/package/deb/triggers)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/DebianTree.cmake)
include(CPack)
