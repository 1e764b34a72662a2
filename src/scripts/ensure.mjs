// Plain JavaScript for Node 20: on a fresh clone nothing is installed yet.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromiumAdvice, findChromium, installChromium, mayInstallChromium } from './browser.mjs'
import { bin, ownNode, root, runOrExit, runQuietly } from './run.mjs'

const installStamp = join(root, 'node_modules', '.installed')
const buildStamp = join(root, 'dist', '.built')

function digest(paths) {
  const hash = createHash('sha256')
  const add = (path) => {
    const full = join(root, path)
    if (!existsSync(full)) return
    if (statSync(full).isDirectory()) {
      for (const name of readdirSync(full).sort()) add(join(path, name))
    } else {
      hash.update(path).update('\0').update(readFileSync(full)).update('\0')
    }
  }
  for (const path of paths) add(path)
  return hash.digest('hex')
}

function isCurrent(stamp, value) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === value
}

/**
 * Links the project's own Node, or the current one on systems without a package: npm 10 removes the
 * link together with those of other systems.
 */
function ensureNode() {
  if (existsSync(ownNode)) {
    const link = join(bin, 'node')
    if (process.platform !== 'win32' && !existsSync(link)) symlinkSync(ownNode, link)
  } else if (Number.parseInt(process.versions.node, 10) < 24) {
    console.error(`The project bundles no Node for ${process.platform} ${process.arch}: install Node 24 or newer.`)
    process.exit(1)
  }
}

/** Does nothing if node_modules already matches the lockfile. */
export function ensureInstalled() {
  const wanted = `${digest(['package-lock.json', '.npmrc'])} ${process.platform} ${process.arch}`
  if (isCurrent(installStamp, wanted)) return
  // Standard output belongs to the server's log.
  console.error('Installing packages …')
  // `npm ci` would reinstall everything.
  runOrExit('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {}, 2)
  ensureNode()
  writeFileSync(installStamp, wanted)
}

/** Builds unless dist/ is up to date; returns the error output of a failure. */
export async function build(signal) {
  const wanted = digest(['src', 'sw', 'public', 'locale', 'index.html', 'vite.config.ts', 'package-lock.json'])
  if (isCurrent(buildStamp, wanted)) return undefined
  const { code, output } = await runQuietly('vite', ['build', '--logLevel', 'error'], { signal })
  if (code !== 0) return output || `vite build ended with exit code ${code}`
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(buildStamp, wanted)
  return undefined
}

export async function ensureBuilt() {
  console.error('Building the app, if anything in it has changed …')
  const problem = await build()
  if (problem === undefined) return
  console.error(`${problem}\nThe app could not be built.`)
  process.exit(1)
}

export async function ensureChromium() {
  if (findChromium()) return
  if (mayInstallChromium) {
    console.error('Installing the Debian package chromium-headless-shell for the browser tests …')
    if (await installChromium()) return
  }
  console.error(`The browser tests need Chromium: ${chromiumAdvice}.`)
  process.exit(1)
}
