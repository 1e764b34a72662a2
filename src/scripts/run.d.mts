export const resolveOnce: string[]

export const heapGrowthFlag: string

export const serverOptions: string[]

/** Arguments for a single-threaded type check. */
export const typeCheck: string[]

export const compilerMemory: Record<string, string>

export const root: string

export function runQuietly(
  command: string,
  args: string[],
  options?: { extra?: Record<string, string> },
): Promise<{ code: number; output: string }>
