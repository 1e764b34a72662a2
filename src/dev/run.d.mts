/** Options with which Node resolves each package once. */
export const resolveOnce: string[]
