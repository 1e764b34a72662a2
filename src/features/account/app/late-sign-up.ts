import { lazyWithTexts } from '#client/lazy.ts'

/** The forms for signing up and in, for the sheet of another screen. */
export const SignUpPanel = lazyWithTexts(async () => {
  const [panel, { loadProviders }] = await Promise.all([import('./sign-up-panel.tsx'), import('./api.ts')])
  await loadProviders()
  return panel
}, 'SignUpPanel')
