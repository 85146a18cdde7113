export {
  checkBlocklist,
  DENIED_PATTERNS,
  DENIED_PROGRAMS,
  effectiveShellCommand,
  SHELLS,
  validateCommand,
} from './core/command-checks.js'
export {
  type ApprovalRef,
  CordonError,
  type CordonErrorOf,
  ERRORS,
  type ErrorCode,
  type ErrorDetails,
  type ErrorDetailsOf,
  type ErrorInfo,
} from './core/model/basics/errors.js'
export { LIMITS } from './core/model/basics/limits.js'
export type { InputSink, Relay, Stream } from './core/model/basics/relay.js'
export type { Answer, Approval } from './core/model/policy/approval.js'
export type { Decision, RuleMatch, Verdict } from './core/model/policy/decision.js'
export type { Plan } from './core/model/policy/plan.js'
export type { Profile, Rule } from './core/model/policy/profile.js'
export type { ProfileSettings } from './core/model/policy/profile-settings.js'
export type { Settings } from './core/model/policy/settings.js'
export type { AuditQuery, AuditRecord, AuditVerification, Outcome, VerifyOptions } from './core/model/run/audit.js'
export type { Change, ChangeSet, FileDiff } from './core/model/run/change.js'
export type { Ending } from './core/model/run/ending.js'
export type { FailureDetails, RefusalDetails, SettingsDetails } from './core/model/run/error-details.js'
export type { Event, OnEvent } from './core/model/run/event.js'
export type { Facts } from './core/model/run/facts.js'
export type { Caller } from './core/model/run/request.js'
export type { ClaimSource, FilterReport, Result, TransactionReport } from './core/model/run/result.js'
export { buildCommand, escapeArg } from './core/model/run/safe-command.js'
export type { OwnFilter } from './core/present/filters/own-filter.js'
export { extractBlocks } from './core/present/markdown-blocks.js'
export { toText } from './core/present/text-form.js'
export { type ErrorWire, errorToWire, toWire, type WireResult } from './core/present/wire.js'
export type {
  Authorization,
  AuthorizeOptions,
  CheckResult,
  CommandInput,
  Engine,
  FileAuthorization,
  FileOptions,
  MarkdownOptions,
  MarkdownOutcome,
  RunOptions,
  Status,
  Task,
  TaskInfo,
} from './engine/api.js'
export type { Log, PastTransactions } from './engine/ports/ports.js'
export type { StickyVariables } from './engine/sticky-variables.js'
export { createPathGuard, type PathGuard } from './host/observe/path-guard.js'
export { type Cordon, type CordonOptions, createCordon } from './node.js'
export type {
  ParameterSchema,
  Tool,
  ToolCall,
  ToolContext,
  ToolDefinition,
  ToolRegistry,
  ToolResult,
} from './surface/tools/tool.js'
