# CMake.
# project: cmake
# needs: cmake gcc make
# ignore: times

#### configures, builds and tests
# subset: yes
cmake -S . -B build -DCMAKE_BUILD_TYPE=Release >/dev/null && cmake --build build 2>&1 | grep -c Built && ./build/area
# -- next command
ctest --test-dir build 2>/dev/null | grep 'tests passed'; cd build && ctest -Q; echo "status $?"; rm -rf ../build

#### builds in parallel and installs into the project
mkdir build && cd build && cmake .. >/dev/null && cmake --build . -j2 >/dev/null && cmake --install . --prefix ../dist >/dev/null && ../dist/bin/area; cd .. && rm -rf build

#### fails to build and keeps the edit
sed -i 's/return width/retrun width/' src/area.c && cmake -S . -B build >/dev/null && cmake --build build >/dev/null 2>&1; status=$?; rm -rf build; exit $status
# -- next command
grep -c retrun src/area.c

#### fails to configure
echo 'find_package(NoSuchPackage REQUIRED)' >> CMakeLists.txt; cmake -S . -B build >/dev/null 2>&1; echo "status $?"; rm -rf build
