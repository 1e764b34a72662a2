import { localKeys, readStoredJson, storeJson } from '#client/storage.ts'

/** Most recent first. */
export function usedTools(): string[] {
  const stored = readStoredJson<unknown>(localKeys.usedTools)
  return Array.isArray(stored) ? stored.filter((tool) => typeof tool === 'string') : []
}

export const rememberToolUse = (tool: string): void =>
  storeJson(localKeys.usedTools, [tool, ...usedTools().filter((other) => other !== tool)])
