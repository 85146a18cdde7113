# A library, a program and a test built by CMake.
mkdir -p app/src app/tests
cd app
cat >CMakeLists.txt <<'CMAKE'
cmake_minimum_required(VERSION 3.13)
project(shapes C)
enable_testing()
add_library(shapes src/area.c)
target_include_directories(shapes PUBLIC src)
add_executable(area src/main.c)
target_link_libraries(area shapes)
add_executable(area_test tests/area_test.c)
target_link_libraries(area_test shapes)
add_test(NAME area COMMAND area_test)
install(TARGETS area DESTINATION bin)
CMAKE
printf 'int area(int width, int height);\n' >src/area.h
printf '#include "area.h"\nint area(int width, int height) { return width * height; }\n' >src/area.c
printf '#include <stdio.h>\n#include "area.h"\nint main(void) { printf("%%d\\n", area(6, 7)); return 0; }\n' >src/main.c
printf '#include "area.h"\nint main(void) { return area(2, 3) == 6 ? 0 : 1; }\n' >tests/area_test.c
