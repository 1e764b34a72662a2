// What the commands need before they can run. Plain JavaScript for Node 20: on a fresh clone
// nothing is installed yet.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromiumAdvice, findChromium, installChromium, mayInstallChromium } from './browser.mjs'
import { bin, must, ownNode, root, runQuietly } from './run.mjs'

const installStamp = join(root, 'node_modules', '.installed')
const buildStamp = join(root, 'dist', '.built')

/** Digest of the named files and of everything below the named folders. */
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
 * Puts the project's own Node among the tools: npm 10 removes its link together with those of the
 * other systems. Where there is no package for a system, the Node that runs this has to do.
 */
function ensureNode() {
  if (existsSync(ownNode)) {
    const link = join(bin, 'node')
    if (process.platform !== 'win32' && !existsSync(link)) symlinkSync(ownNode, link)
  } else if (Number.parseInt(process.versions.node, 10) < 24) {
    console.error(`No Node comes with the project for ${process.platform} ${process.arch}: install Node 24 or newer.`)
    process.exit(1)
  }
}

/** Installs what the lockfile names, unless that is what node_modules holds. */
export function ensureInstalled() {
  const wanted = `${digest(['package-lock.json', '.npmrc'])} ${process.platform} ${process.arch}`
  if (isCurrent(installStamp, wanted)) return
  // Standard output is the server's log.
  console.error('Installing packages …')
  // Not `npm ci`, which installs everything anew.
  must('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {}, 2)
  ensureNode()
  writeFileSync(installStamp, wanted)
}

/**
 * Builds the app and its service worker, unless dist/ comes from these very sources; returns what
 * went wrong.
 */
export async function build(signal) {
  const wanted = digest(['src', 'sw', 'public', 'locale', 'index.html', 'vite.config.ts', 'package-lock.json'])
  if (isCurrent(buildStamp, wanted)) return undefined
  const { code, output } = await runQuietly('vite', ['build', '--logLevel', 'error'], { signal })
  if (code !== 0) return output || `vite build ended with exit code ${code}`
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(buildStamp, wanted)
  return undefined
}

/** Builds, or ends this process. */
export async function ensureBuilt() {
  console.error('Building the app, if anything in it has changed …')
  const problem = await build()
  if (problem === undefined) return
  console.error(`${problem}\nThe app could not be built.`)
  process.exit(1)
}

/** A browser for the browser tests, or the end of this process. */
export async function ensureChromium() {
  if (findChromium()) return
  if (mayInstallChromium) {
    console.error('Installing the Debian package chromium-headless-shell for the browser tests …')
    if (await installChromium()) return
  }
  console.error(`The browser tests need Chromium: ${chromiumAdvice}.`)
  process.exit(1)
}
