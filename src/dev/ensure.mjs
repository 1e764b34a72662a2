// What the commands need before they can run. Plain JavaScript for Node 20: on a fresh clone nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
const bin = join(root, 'node_modules', '.bin')
const installStamp = join(root, 'node_modules', '.installed')
const buildStamp = join(root, 'dist', '.built')

/** The environment of everything we start: the project's own Node and tools come first. */
export function environment(extra = {}) {
  return { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, ...extra }
}

/** Runs a command to its end with our input and output; answers its exit code. */
export function run(command, args, extra = {}) {
  const child = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: environment(extra),
    shell: process.platform === 'win32',
  })
  if (child.error) throw child.error
  return child.status ?? 1
}

/** Like run, but ends this process when the command fails. */
export function must(command, args, extra) {
  const code = run(command, args, extra)
  if (code !== 0) {
    console.error(`\n${command} ${args.join(' ')} failed (exit code ${code}).`)
    process.exit(code)
  }
}

/**
 * Starts a command that goes on until it or we are stopped, passing our signals to it. The channel to it closes when we are
 * killed, which no signal tells.
 */
export function follow(command, args, extra) {
  const stdio = ['inherit', 'inherit', 'inherit', 'ipc']
  const child = spawn(command, args, { cwd: root, stdio, env: environment(extra) })
  endWithNpm()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)))
  })
}

/** npm runs us through a shell, which lives on when npm is killed; only the shell's own parent tells, where the system shows it. */
function endWithNpm() {
  const shell = `/proc/${process.ppid}/stat`
  if (!process.env.npm_lifecycle_event || !existsSync(shell)) return
  const parent = () => (existsSync(shell) ? readFileSync(shell, 'utf8').split(') ').at(-1).split(' ')[1] : undefined)
  const npm = parent()
  setInterval(() => parent() === npm || process.exit(1), 250).unref()
}

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

/** Installs what the lockfile names, unless that is what node_modules holds. */
export function ensureInstalled() {
  const wanted = `${digest(['package-lock.json', '.npmrc'])} ${process.platform} ${process.arch}`
  if (!isCurrent(installStamp, wanted)) {
    console.log('Installing packages …')
    // Not `npm ci`: it refuses a lockfile that lacks another platform's optional binaries, and some registries lack those.
    must('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'])
    // Where install scripts are switched off, the project's own Node is still missing.
    if (!existsSync(join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node'))) {
      must('npm', ['rebuild', 'node', '--ignore-scripts=false', '--loglevel=error'])
    }
    writeFileSync(installStamp, wanted)
  }
}

/** Builds the app and its service worker, unless dist/ comes from these very sources. */
export function ensureBuilt() {
  const wanted = digest(['src', 'sw', 'public', 'locale', 'index.html', 'vite.config.ts', 'package-lock.json'])
  if (!isCurrent(buildStamp, wanted)) {
    console.log('Building the app …')
    must('vite', ['build', '--logLevel', 'warn'])
    mkdirSync(join(root, 'dist'), { recursive: true })
    writeFileSync(buildStamp, wanted)
  }
}

const isRoot = process.getuid?.() === 0
const hasApt = existsSync('/usr/bin/apt-get')

/** Installs a Debian package where we may; answers whether that worked. */
export function installDebian(name) {
  if (!isRoot || !hasApt) return false
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: environment({ DEBIAN_FRONTEND: 'noninteractive' }) }
  spawnSync('apt-get', ['-qq', 'update'], quiet)
  return spawnSync('apt-get', ['-qq', '-y', '--no-install-recommends', 'install', name], quiet).status === 0
}

/** A browser for the browser tests: the system's Chromium, one from Debian, or Playwright's own. */
export function ensureChromium() {
  const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  if (system.some((path) => existsSync(path))) return
  console.log('Installing Chromium for the browser tests …')
  if (installDebian('chromium') && existsSync('/usr/bin/chromium')) return
  must('playwright', ['install', 'chromium'])
}
