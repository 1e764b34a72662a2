import { keep, localKeys, readKept } from '#client/storage.ts'

/** Most recent first. */
export function usedTools(): string[] {
  const stored = readKept<unknown>(localKeys.usedTools)
  return Array.isArray(stored) ? stored.filter((tool) => typeof tool === 'string') : []
}

export const rememberUse = (tool: string): void =>
  keep(localKeys.usedTools, [tool, ...usedTools().filter((other) => other !== tool)])
