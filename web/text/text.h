// Every text of the page that isn't a field's own (those stand in the field table) or the engine's. Each has its
// Chinese in web/text/zh/page.json; a test fails where one has none.
#pragma once

namespace megamem::web::words {

inline constexpr const char* kProduct = "megamem";
inline constexpr const char* kPresets = "Presets";
inline constexpr const char* kCopyLink = "Copy link";
inline constexpr const char* kCopied = "Copied";
inline constexpr const char* kCopyShown = "Copy it from the box";
inline constexpr const char* kTheme = "Theme";
inline constexpr const char* kThemeHelp = "Light or dark";
inline constexpr const char* kLanguage = "Language";
inline constexpr const char* kToChinese = "Switch to Chinese";
inline constexpr const char* kToEnglish = "Switch to English";
inline constexpr const char* kNameHint = "Name of this scenario";
inline constexpr const char* kUnset = "not set";
inline constexpr const char* kDefault = "default";
inline constexpr const char* kDerived = "computed";

inline constexpr const char* kImport = "Import";
inline constexpr const char* kSaved = "Saved";
inline constexpr const char* kSave = "Save";
inline constexpr const char* kReplace = "Replace";
inline constexpr const char* kDuplicate = "Duplicate";
inline constexpr const char* kDelete = "Delete";
inline constexpr const char* kUnnamed = "Unnamed";
inline constexpr const char* kNothingSaved = "Nothing saved yet.";
inline constexpr const char* kKeepsNothing =
    "This browser keeps nothing for this page, so nothing can be saved here. The link holds it all: copy it.";
inline constexpr const char* kExport = "Export";
inline constexpr const char* kCopy = "Copy";
inline constexpr const char* kDownload = "Download";
inline constexpr const char* kExportFailed = "The exporter could not be loaded.";
inline constexpr const char* kBarsAsPng = "Bars as PNG";
inline constexpr const char* kUndo = "Undo";
inline constexpr const char* kRedo = "Redo";
inline constexpr const char* kImportHint =
    "Paste a launch script, a config.json, a YAML file or a log anywhere on this page, drop a file on it, or "
    "choose "
    "one. Several add up, the later ones rule. Nothing leaves this browser.";
inline constexpr const char* kChooseFile = "Choose a file";
inline constexpr const char* kCancel = "Cancel";
inline constexpr const char* kRemove = "Remove";
inline constexpr const char* kApply = "Apply";
inline constexpr const char* kStartFrom = "Put onto";
inline constexpr const char* kFromNothing = "a blank scenario";
inline constexpr const char* kFromOpen = "the open scenario";
inline constexpr const char* kOpenTitle = "Left open by the text";
inline constexpr const char* kTakenTitle = "Taken: {}";
inline constexpr const char* kUnknownTitle = "Unknown here: {}";
inline constexpr const char* kNeutralTitle = "Without influence on memory: {}";
inline constexpr const char* kField = "Field";
inline constexpr const char* kNow = "now";
inline constexpr const char* kNew = "new";
inline constexpr const char* kFrom = "from";

inline constexpr const char* kFits = "Fits";
inline constexpr const char* kTight = "Tight";
inline constexpr const char* kDoesNotFit = "Does not fit";
inline constexpr const char* kInvalid = "No result";

inline constexpr const char* kHeadroom = "headroom";
inline constexpr const char* kOver = "over";
inline constexpr const char* kParameters = "parameters";
inline constexpr const char* kActive = "active";
inline constexpr const char* kDataParallel = "DP";
inline constexpr const char* kExpertDataParallel = "EDP";
inline constexpr const char* kMicroBatches = "micro-batches";

inline constexpr const char* kTabMemory = "Memory";
inline constexpr const char* kTabMethods = "Methods";
inline constexpr const char* kTabCompare = "Compare";
inline constexpr const char* kCompareHint =
    "Pin the open scenario as A, then change it: A stays, and the changed one is B. The link carries both.";
inline constexpr const char* kPin = "Pin as A";
inline constexpr const char* kPinAgain = "Pin B as A";
inline constexpr const char* kSwap = "Swap A and B";
inline constexpr const char* kDrop = "Drop A";
inline constexpr const char* kInputsThatDiffer = "Inputs that differ: {}";
inline constexpr const char* kNothingDiffers = "A and B are the same.";
inline constexpr const char* kPairedRanks = "Memory per pipeline rank, GiB: A above B";
inline constexpr const char* kPerComponent = "Worst rank by component, GiB";
inline constexpr const char* kComponent = "Component";
inline constexpr const char* kDifference = "B − A";
inline constexpr const char* kRankOf = "rank {}";
inline constexpr const char* kTabNotes = "Notes";
inline constexpr const char* kMethodsTitle = "What each method says, and why they differ";
inline constexpr const char* kMostLoaded = "megatron-report";
inline constexpr const char* kMostLoadedShard = "most loaded shard";
inline constexpr const char* kReason = "why they differ";
inline constexpr const char* kEvidence = "worst of {} like runs";
inline constexpr const char* kEvidenceTitle = "Evidence: measured runs most like this scenario";
inline constexpr const char* kNoEvidence = "not measured";
inline constexpr const char* kShards =
    "Megatron-LM prints this at start-up: one figure for the most loaded shard, not for ranks.";

inline constexpr const char* kRanks = "Memory per pipeline rank, GiB";
inline constexpr const char* kCapacity = "usable";
inline constexpr const char* kTotal = "total";
inline constexpr const char* kModule = "Module";
inline constexpr const char* kActivations = "Activations";
inline constexpr const char* kVision = "Vision tower";
inline constexpr const char* kReserve = "NCCL buffers";
inline constexpr const char* kRankTotal = "Total of the rank";

inline constexpr const char* kProblems = "To be fixed";
inline constexpr const char* kWarnings = "Warnings";
inline constexpr const char* kAssumptions = "What this method assumes";
inline constexpr const char* kExplainHint = "Click a number: how it came about appears here.";
inline constexpr const char* kExplanationsFailed =
    "Explanations could not be loaded. Choose another number to try again.";
inline constexpr const char* kSource = "Source: ";
inline constexpr const char* kBack = "Back";
inline constexpr const char* kOwnAssumptions = "Assumptions";
inline constexpr const char* kPeakAllocated = "Peak allocated";
inline constexpr const char* kSteadyAllocated = "Allocated between steps";
inline constexpr const char* kPeakReserved = "Peak reserved";
inline constexpr const char* kInFlight = "Micro-batches in flight at the peak";
inline constexpr const char* kBytes = "bytes";
inline constexpr const char* kDismiss = "Dismiss";
inline constexpr const char* kFromLink = "From the link";
inline constexpr const char* kDraftNote =
    "A field holds a value that can't be used; the numbers use its last good one.";

inline constexpr const char* kTextView = "Text";
inline constexpr const char* kTextViewHelp = "The results as text and tables, to read, search, copy and print (F8)";
inline constexpr const char* kTextViewName = "Results as text";
inline constexpr const char* kByMethod = "GiB by the {} method";
inline constexpr const char* kRank = "rank";

}  // namespace megamem::web::words
