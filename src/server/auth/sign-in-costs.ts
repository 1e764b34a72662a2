import type { ReadConfig } from '#server/config.ts'

/** Work and waits that slow down attackers. Constant in production; tests use cheap ones. */
export interface SignInCosts {
  /** argon2id: KiB of memory and passes of one lane. */
  passwordHash: { memory: number; passes: number }
  /**
   * Milliseconds after which routes respond whose work depends on the account; longer than the work
   * usually takes, so that one interval mostly suffices.
   */
  responseInterval: number
}

declare module '#server/config.ts' {
  interface FeatureConfig {
    signInCosts: SignInCosts
  }
}

export const readSignInCosts: ReadConfig<SignInCosts> = () => ({
  // OWASP's minimum for argon2id.
  config: { passwordHash: { memory: 19_456, passes: 2 }, responseInterval: 250 },
})
