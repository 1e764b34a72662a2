import type { Json } from '#shared/schema.ts'

/** If an error has types, only these count. */
const refusalTypes = ['content_policy_violation', 'content_filter', 'moderation_blocked']
/**
 * For models without error types. Names of input fields, such as `safety_tolerance` or
 * `input.moderation`, are not refusals.
 */
const refusalWords =
  /\bnsfw\b|\bE005\b|flagged (as|by|for)\b|sensitive content|prohibited content|safety (system|filter|checker|rules|guidelines|polic)|content[ _-]?(policy|moderation|filter|checker)|(?<![.\w])moderat(ion\b|ed\b)/i
/** The picture is then black or blurred. */
const refusalFlags = ['has_nsfw_concepts', 'has_nsfw_concept', 'nsfw_content_detected', 'is_nsfw', 'nsfw', 'flagged']

export function isContentRefusal(message: string, types: readonly string[] = []): boolean {
  return types.length > 0 ? types.some((type) => refusalTypes.includes(type)) : refusalWords.test(message)
}

/** Tests the picture at `path` (`images.0.url`); flag lists follow the order of the pictures. */
export function isFlagged(output: Json, path: string): boolean {
  const steps = path.split('.').filter(Boolean)
  const index = Number(steps.find((step) => /^\d+$/.test(step)) ?? 0)
  let part: Json | undefined = output
  for (const step of [...steps, '']) {
    if (typeof part !== 'object' || part === null) return false
    const found = part as Record<string, Json>
    if (refusalTypes.includes(String(found.finish_reason))) return true
    if (refusalFlags.map((name) => found[name]).some((flag) => (Array.isArray(flag) ? flag[index] : flag) === true))
      return true
    part = found[step]
  }
  return false
}
