import { lazyWithTexts } from '#client/lazy.ts'
import { loadProviders } from './api.ts'

/** The forms for signing up and in, for the sheet of another screen. */
export const SignUpPanel = lazyWithTexts(async () => {
  const [panel] = await Promise.all([import('./sign-up-panel.tsx'), loadProviders()])
  return panel
}, 'SignUpPanel')
