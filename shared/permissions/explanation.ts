// A question in plain words (UX 3, P10): what each part would do, what it touches, why it is asked about, what can be undone.
// Only facts that were worked out, as closed keys that both languages have words for; what is not known is said to be unknown.
import { z } from "zod";

/** Why a person is asked. */
export const AskWhy = z.enum([
  "not_allowed_yet",
  "rule_asks",
  "rule_unclear",
  "rule_forbids",
  "hook_asks",
  "hook_forbids",
  "tool_asks",
  "switched_off",
  "plan_mode",
  "check_failed",
  "outside_folder",
  "secret",
  "system_file",
  "own_settings",
  "own_data",
  "other_computer",
  "other_session",
  "ambiguous_name",
  "bad_path",
  "destroys_system",
  "overwrites_disk",
  "endless_copies",
  "system_rights",
  "turns_off",
  "runs_download",
  "hidden_code",
  "takes_recovery",
  "git_hooks",
  "git_settings",
  "git_store",
  "tool_servers",
  "agent_folder",
  "editor_tasks",
  "on_enter_folder",
  "on_shell_start",
  "on_system_start",
  "pipeline",
  "build_scripts",
]);
export type AskWhy = z.infer<typeof AskWhy>;

/** What one program of a command does, as far as its name and words tell. */
export const PartMeaning = z.enum([
  "looks",
  "prints_text",
  "prepares",
  "starts_other",
  "waits",
  "deletes_files",
  "moves_files",
  "copies_files",
  "makes_folder",
  "makes_file",
  "makes_link",
  "changes_rights",
  "changes_text",
  "writes_files",
  "packs",
  "unpacks",
  "git_looks",
  "git_add",
  "git_commit",
  "git_push",
  "git_pull",
  "git_fetch",
  "git_clone",
  "git_discard",
  "git_switch",
  "git_rewrite",
  "git_settings",
  "git_other",
  "installs_packages",
  "runs_project_script",
  "runs_tests",
  "builds",
  "runs_package",
  "installs_software",
  "containers",
  "downloads",
  "other_computer",
  "online_service",
  "as_administrator",
  "stops_programs",
  "background",
  "services",
  "disk",
  "power",
  "runs_code",
  "runs_file",
  "database",
  "opens",
  "formats_code",
  "unknown_program",
  "unknown_name",
]);
export type PartMeaning = z.infer<typeof PartMeaning>;

/** Why not everything about a part is known. */
export const PartDoubt = z.enum(["run_time", "repository_settings", "variable", "runs_download", "options", "unknown"]);
export type PartDoubt = z.infer<typeof PartDoubt>;

export const UndoFact = z.enum([
  "nothing_changes",
  "files_saved",
  "files_not_saved",
  "outside_stays",
  "outside_unknown",
  "sent_stays",
  "network_unknown",
  "git_stays",
  "published_stays",
  "keeps_running",
]);
export type UndoFact = z.infer<typeof UndoFact>;

export const ExplainedPart = z.object({
  /** as written */
  text: z.string(),
  says: PartMeaning,
  /** what the words are about: a script's name, a file, a program */
  name: z.string(),
  doubt: PartDoubt.optional(),
});
export type ExplainedPart = z.infer<typeof ExplainedPart>;

export const Explanation = z.object({
  why: AskWhy,
  /** the path, part or rule the reason is about */
  about: z.string().optional(),
  /** of a command, in the order they run; empty for tools that are no commands */
  parts: z.array(ExplainedPart),
  /** parts that are not shown any more */
  more: z.number().int().nonnegative(),
  /** the command could not be taken apart at all */
  unread: z.boolean(),
  reads: z.array(z.string()),
  writes: z.array(z.string()),
  deletes: z.array(z.string()),
  /** hosts or programs that use the network */
  network: z.array(z.string()),
  undo: z.array(UndoFact),
});
export type Explanation = z.infer<typeof Explanation>;
