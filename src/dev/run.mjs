// Starting other programs. Plain JavaScript for Node 20: on a fresh clone nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const bin = join(root, 'node_modules', '.bin')

/** A package for each system, of which npm installs the one that fits. */
const [system, program] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node']
export const ownNode = join(root, 'node_modules', `node-${system}-${process.arch}`, 'bin', program)

/**
 * Makes Node resolve each package once, which saves whatever loads the server's modules a good part
 * of its start.
 */
export const resolveOnce = ['--import', new URL('./resolve-once.mjs', import.meta.url).href]

/**
 * Room to double before everything is collected: V8 counts the arrays of pictures as growth, but
 * gives a thread whose objects hardly grow eight megabytes until the next collection.
 */
export const roomToGrow = '--heap-growing-percent=100'

/**
 * How the server runs, and whatever measures it. A small young generation: its own objects are few,
 * and this halves its resident memory.
 */
export const serverOptions = [...resolveOnce, '--max-semi-space-size=4', roomToGrow]

/**
 * How the TypeScript compiler checks: in one thread, for each further one works out anew most types
 * that it shares with the first. Collecting garbage is a third of its work and saves it little
 * memory, so it begins only where much has gathered.
 */
export const typeCheck = ['--noEmit', '--checkers', '1']
export const compilerMemory = { GOGC: 'off', GOMEMLIMIT: '3GiB' }

/**
 * Node keeps compiled modules there, which saves a server a fifth of its start, and Playwright what
 * it has made of the tests' sources.
 */
const caches = join(root, 'node_modules', '.cache')

/**
 * Bytes from which on glibc takes memory from the system and gives it back at once, as long as
 * nobody says otherwise. By itself it raises that to 32 MB after the first pictures, and their
 * memory stays with the process: 80 MB of an idle server, a third of the most that a run takes.
 */
const mmapThreshold = { MALLOC_MMAP_THRESHOLD_: '262144' }

/** The environment of everything we start: the project's own Node and tools come first. */
export function environment(extra = {}) {
  const PATH = [bin, dirname(ownNode), process.env.PATH].join(delimiter)
  const NODE_COMPILE_CACHE = join(caches, 'node')
  const PWTEST_CACHE_DIR = join(caches, 'playwright')
  return { ...mmapThreshold, ...process.env, NODE_COMPILE_CACHE, PWTEST_CACHE_DIR, PATH, ...extra }
}

/** Runs a command to its end, with our input and output or another; returns its exit code. */
export function run(command, args, extra = {}, stdout = 'inherit') {
  const child = spawnSync(command, args, {
    cwd: root,
    stdio: ['inherit', stdout, 'inherit'],
    env: environment(extra),
    shell: process.platform === 'win32',
  })
  if (child.error) throw child.error
  return child.status ?? 1
}

/** Like run, but ends this process when the command fails. */
export function must(command, args, extra, stdout) {
  const code = run(command, args, extra, stdout)
  if (code !== 0) {
    console.error(`\n${command} ${args.join(' ')} failed (exit code ${code}).`)
    process.exit(code)
  }
}

/** Runs a command beside others and keeps what it prints. */
export function runQuietly(command, args, { extra = {}, signal } = {}) {
  return start(command, args, { extra, signal, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs a command that prints as it goes, without blocking what happens beside it. */
export function runAloud(command, args, { extra = {}, signal } = {}) {
  return start(command, args, { extra, signal, stdio: ['ignore', 'inherit', 'inherit'] })
}

function start(command, args, { extra, signal, stdio }) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio, env: environment(extra), signal })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
    child.on('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }))
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}
