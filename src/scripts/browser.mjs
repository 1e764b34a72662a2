import { existsSync, readdirSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { runQuietly } from './run.mjs'

// The headless shell comes first: it spends no time on buttons and tabs.
const known = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

/** CHROMIUM, the system's, or an earlier Playwright installation; undefined without one. */
export function findChromium() {
  if (process.env.CHROMIUM) return existsSync(process.env.CHROMIUM) ? process.env.CHROMIUM : undefined
  return known.find((path) => existsSync(path)) ?? playwrights()
}

function playwrights() {
  const folder = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), '.cache', 'ms-playwright')
  const builds = existsSync(folder) ? readdirSync(folder).filter((name) => /^chromium-\d+$/.test(name)) : []
  const programs = builds.flatMap((name) =>
    ['chrome-linux', 'chrome-linux64'].map((sub) => join(folder, name, sub, 'chrome')),
  )
  return programs.find((path) => existsSync(path))
}

export const mayInstallChromium = !process.env.CHROMIUM && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')

export const chromiumAdvice = process.env.CHROMIUM
  ? `set CHROMIUM to the path of one, for there is none at ${process.env.CHROMIUM}`
  : 'install one (Debian: sudo apt-get install chromium-headless-shell), or set CHROMIUM to the path of a Chromium or Chrome'

/** Installs Debian's headless Chromium where mayInstallChromium permits it; undefined otherwise. */
export async function installChromium(signal) {
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  await runQuietly('apt-get', ['-qq', 'update'], { extra: quiet, signal })
  const flags = ['-qq', '-y', '--no-install-recommends', 'install', 'chromium-headless-shell']
  const { code, output } = await runQuietly('apt-get', flags, { extra: quiet, signal })
  if (code !== 0) console.error(output)
  return findChromium()
}
