import type { Json } from '#contract/json.ts'

/** Names that services give such an error; only these count where an error has names at all. */
const refusalTypes = ['content_policy_violation', 'content_filter', 'moderation_blocked']
/**
 * Sentences of models that give no name. Fields of their input, such as `safety_tolerance` or
 * `input.moderation`, are no refusals.
 */
const refusalWords =
  /\bnsfw\b|\bE005\b|flagged (as|by|for)\b|sensitive content|prohibited content|safety (system|filter|checker|rules|guidelines|polic)|content[ _-]?(policy|moderation|filter|checker)|(?<![.\w])moderat(ion\b|ed\b)/i
/** Keys under which results say that they were flagged; what comes with them is black or blurred. */
const flags = ['has_nsfw_concepts', 'has_nsfw_concept', 'nsfw_content_detected', 'is_nsfw', 'nsfw', 'flagged']

/** Whether an error says that the picture or the prompt was refused by safety rules. */
export function isContentRefusal(message: string, types: readonly string[] = []): boolean {
  return types.length > 0 ? types.some((type) => refusalTypes.includes(type)) : refusalWords.test(message)
}

/**
 * Whether an output says that the picture at `path` (`images.0.url`) was flagged; lists of flags
 * are in the order of the pictures.
 */
export function isFlagged(output: Json, path: string): boolean {
  const steps = path.split('.').filter(Boolean)
  const index = Number(steps.find((step) => /^\d+$/.test(step)) ?? 0)
  let part: Json | undefined = output
  for (const step of [...steps, '']) {
    if (typeof part !== 'object' || part === null) return false
    const found = part as Record<string, Json>
    if (refusalTypes.includes(String(found.finish_reason))) return true
    if (flags.map((name) => found[name]).some((flag) => (Array.isArray(flag) ? flag[index] : flag) === true))
      return true
    part = found[step]
  }
  return false
}
