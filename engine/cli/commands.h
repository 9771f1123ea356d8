// The commands, each in a file of its own.
#pragma once

#include <string>
#include <vector>

#include "base/problem.h"

namespace megamem::cli {

// Exit statuses.
inline constexpr int kFits = 0;
inline constexpr int kDone = 0;
inline constexpr int kDoesNotFit = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kCannotSay = 3;

int run(const std::vector<std::string>& arguments);

int estimate_command(const std::vector<std::string>& arguments);
int explain_command(const std::vector<std::string>& arguments);
int check_command(const std::vector<std::string>& arguments);
int import_command(const std::vector<std::string>& arguments);
int export_command(const std::vector<std::string>& arguments);
int accuracy_command(const std::vector<std::string>& arguments);
int presets_command(const std::vector<std::string>& arguments);
int fields_command(const std::vector<std::string>& arguments);

// Says them on standard error.
void tell_people(const Problems& problems);

// Says it on standard error and gives kBadInput.
int usage_error(const std::string& message);

}  // namespace megamem::cli
