/** Options with which Node resolves each package once. */
export const resolveOnce: string[]

/** An option with which memory is collected less often. */
export const roomToGrow: string

/** Options with which the server runs. */
export const serverOptions: string[]

/** Variables with which the TypeScript compiler collects its memory late. */
export const compilerMemory: Record<string, string>
