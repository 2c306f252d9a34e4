# SPDX-License-Identifier: Apache-2.0
"""poslab for Spack, from this tree: there is no archive of a release yet, so no version has a checksum."""

from spack_repo.builtin.build_systems.cmake import CMakePackage, generator

from spack.package import depends_on, license, requires, variant, version


class Poslab(CMakePackage):
    """A laboratory for the positional encodings of Transformers: schemes are plugins, which go through the same experiments."""

    license("Apache-2.0")
    version("0.1.0")

    variant("python", default=True, description="What the Python package needs to read results, draw them and call schemes")

    requires("platform=linux")
    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("python@3.11:", type=("build", "run"))
    depends_on("boost@1.74: +program_options")
    depends_on("eigen@3.4:3")
    depends_on("fmt")
    depends_on("hdf5@1.10: +hl ~mpi")
    depends_on("intel-tbb@2021: +shared")
    depends_on("libzip")
    depends_on("nlohmann-json@3.11:")
    depends_on("openssl")
    depends_on("random123")
    depends_on("sqlite@3.40:")
    depends_on("tomlplusplus")
    for library in ("py-h5netcdf", "py-h5py", "py-matplotlib", "py-numpy", "py-pandas", "py-tqdm", "py-xarray"):
        depends_on(library, type="run", when="+python")

    generator("ninja")

    def cmake_args(self):
        # Spack's target is the machine's, or the one that was asked for: its compiler wrapper adds the flags.
        python = self.spec["python"].command.path
        return [self.define("POSLAB_TESTS", False), self.define("POSLAB_ARCH", ""), self.define("POSLAB_PYTHON", python)]

    def setup_run_environment(self, env):
        env.prepend_path("PYTHONPATH", self.prefix.share.poslab.python)
