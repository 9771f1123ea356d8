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
inline constexpr const char* kPasteHere = "Paste or type";
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
inline constexpr const char* kRanksOfBoth = "A and B by pipeline rank, GiB";
inline constexpr const char* kPerComponent = "Worst rank by component, GiB";
inline constexpr const char* kComponent = "Component";
inline constexpr const char* kDifference = "B − A";
inline constexpr const char* kRankOf = "rank {}";
inline constexpr const char* kTabNotes = "Notes";
inline constexpr const char* kMethodsTitle = "What each method says, and why they differ";
inline constexpr const char* kMostLoaded = "megatron-report";
inline constexpr const char* kMostLoadedShard = "most loaded shard";
inline constexpr const char* kReason = "why they differ";
inline constexpr const char* kEvidence = "peak, {} like runs";
inline constexpr const char* kEvidenceOfOne = "peak, 1 like run";
inline constexpr const char* kEvidenceTitle = "Evidence: measured runs most like this scenario";
inline constexpr const char* kNoEvidence = "not measured";
inline constexpr const char* kShards =
    "Megatron-LM prints this at start-up: one figure for the most loaded shard, not for ranks.";

inline constexpr const char* kRanks = "Memory per pipeline rank, GiB";
inline constexpr const char* kByComponent = "by component";
inline constexpr const char* kByModule = "by module";
inline constexpr const char* kOtherModules = "other modules";
inline constexpr const char* kPartVision = "vision";
inline constexpr const char* kPartWorkspaces = "workspaces";
inline constexpr const char* kPartReserve = "reserve";
inline constexpr const char* kFigures = "Figures";
inline constexpr const char* kRank = "Rank";
inline constexpr const char* kCapacity = "usable";
inline constexpr const char* kTotal = "total";
inline constexpr const char* kModule = "Module";
inline constexpr const char* kSectionEmbedding = "Embedding";
inline constexpr const char* kSectionLayers = "Transformer layers";
inline constexpr const char* kSectionMtp = "MTP";
inline constexpr const char* kSectionHead = "Head";
inline constexpr const char* kSectionBeside = "Workspaces and buffers";
inline constexpr const char* kSectionReserve = "Reserve";
inline constexpr const char* kShapeLayers = "{} layers";
inline constexpr const char* kShapeExperts = "{} experts";
inline constexpr const char* kSortHelp = "Sort by this column";
inline constexpr const char* kSplitTitle = "Stages of Megatron's own split";
inline constexpr const char* kStagesTitle = "Stages of the layout";
inline constexpr const char* kRanksAndChunks = "a row a rank, a column a chunk";
inline constexpr const char* kChunk = "chunk {}";
inline constexpr const char* kStageTitle = "Rank {}, chunk {}";
inline constexpr const char* kStageEmpty = "no layers";
inline constexpr const char* kKindEmbedding = "embedding";
inline constexpr const char* kKindDense = "dense layer";
inline constexpr const char* kKindMoe = "MoE layer";
inline constexpr const char* kKindMtp = "MTP layer";
inline constexpr const char* kKindOutput = "output layer";
inline constexpr const char* kLayerRange = "layers {} to {} of {}";
inline constexpr const char* kLayerOne = "layer {} of {}";
inline constexpr const char* kActivations = "Activations";
inline constexpr const char* kKeptForBackward = "kept for backward";
inline constexpr const char* kVision = "Vision tower";
inline constexpr const char* kReserve = "NCCL buffers";
inline constexpr const char* kRankTotal = "Total of the rank";

inline constexpr const char* kProblems = "To be fixed";
inline constexpr const char* kWarnings = "Warnings";
inline constexpr const char* kAssumptions = "What this method assumes";
inline constexpr const char* kExplainHint = "Click a number: how it came about appears here.";
inline constexpr const char* kNothingFound = "No field is called so.";
inline constexpr const char* kPartLoading = "Loading…";
inline constexpr const char* kMoreInText =
    "The text view (F8) has the methods side by side, measured runs like this one, what is left out, and sources.";
inline constexpr const char* kPartFailed = "This part of the page could not be loaded.";
inline constexpr const char* kTryAgain = "Try again";
inline constexpr const char* kSource = "Source: ";
inline constexpr const char* kBack = "Back";
inline constexpr const char* kClose = "Close";
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

inline constexpr const char* kNothingLikeIt = "Nothing like it was measured: {}.";
inline constexpr const char* kRunsLikeIt =
    "{} measured runs are like this one: median error {}, worst {}.";
inline constexpr const char* kBut = "But {}.";
inline constexpr const char* kMeasuredRun = "{}  {}, rank {}, {} GiB measured";
inline constexpr const char* kAccuracyTitle = "Accuracy of this method";
inline constexpr const char* kAccuracyOf =
    "Peaks of torch's allocator that this version predicts, against {} measured ones of {} published tests: error "
    "without sign, by kind of run.";
inline constexpr const char* kKindOfRun = "kind of run";
inline constexpr const char* kPeaks = "peaks";
inline constexpr const char* kMedian = "median";
inline constexpr const char* kNineTenths = "9 of 10 under";
inline constexpr const char* kWorst = "worst";
inline constexpr const char* kLeftOutTitle = "What isn't in the numbers";
inline constexpr const char* kLeftOut[] = {
    "Checkpoints, evaluation and start-up, where they need more than a training step.",
    "Routing worse than moe_load_factor says: experts that get more tokens need more memory.",
    "Fragmentation beyond the usual share, which differs from run to run.",
    "Other programs on the same GPU.",
    "Other versions of Megatron-LM: its memory changes from month to month.",
};
inline constexpr const char* kSourcesTitle = "Sources";
inline constexpr const char* kSources[] = {
    "Formulas are from the sources of Megatron-LM, TransformerEngine and torch: the explanation of a number names file, "
    "line and commit.",
    "Measurements:",
};

inline constexpr const char* kStartTitle = "Will it fit? Where would you like to begin?";
inline constexpr const char* kStartPreset = "Choose a model";
inline constexpr const char* kStartPresetHelp = "A published one, then change what differs in yours.";
inline constexpr const char* kStartImport = "Paste a script";
inline constexpr const char* kStartImportHelp =
    "A launch script, config.json, YAML or log, here or anywhere on the page. Nothing leaves this browser.";
inline constexpr const char* kStartExample = "Open an example";
inline constexpr const char* kStartExampleHelp = "A link as a colleague would send it: two plans, side by side.";
inline constexpr const char* kStartDismiss = "Look around first";

inline constexpr const char* kHelp = "?";
inline constexpr const char* kHelpName = "About and keys";
inline constexpr const char* kHelpHelp = "Version, keys, licences (F1)";
inline constexpr const char* kAbout =
    "GPU memory of a Megatron-LM training run, by pipeline rank, with the formula and the source line behind every "
    "number.";
inline constexpr const char* kPrivacy = "Everything is computed in this browser. The link holds the scenario.";
inline constexpr const char* kLicences = "Licences";
inline constexpr const char* kKeys = "Keys";
struct Key {
    const char* keys;
    const char* meaning;
};
inline constexpr Key kKeyList[] = {
    {"F1", "this box"},
    {"F8", "results as text, and back"},
    {"Tab, Shift+Tab", "next field, the one before"},
    {"Up, Down", "in a number: larger, smaller"},
    {"Arrows", "in tables: from number to number, with their explanation"},
    {"Enter, Space", "choose, open, switch"},
    {"Escape", "shut a menu, leave a field as it was"},
    {"Ctrl+Z, Ctrl+Shift+Z", "undo, redo"},
    {"Ctrl+V", "outside of fields: import what was copied"},
    {"Escape, then Tab", "leave the canvas"},
};

inline constexpr const char* kResults = "Results";
inline constexpr const char* kInputs = "Inputs";

}  // namespace megamem::web::words
