import { localKeys } from '#client/storage.ts'

/** The tools that were used on this device, last used first. */
export function usedTools(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(localKeys.usedTools) ?? '[]')
    return Array.isArray(stored) ? stored.filter((tool) => typeof tool === 'string') : []
  } catch {
    return []
  }
}

export function rememberUse(tool: string): void {
  try {
    const others = usedTools().filter((other) => other !== tool)
    localStorage.setItem(localKeys.usedTools, JSON.stringify([tool, ...others]))
  } catch {
    // A full or forbidden storage only costs the order.
  }
}
