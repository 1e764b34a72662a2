// Plain JavaScript for Node 20: on a fresh clone nothing is installed yet.
import { spawn, spawnSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const bin = join(root, 'node_modules', '.bin')

/** npm installs the package of the current system. */
const [system, program] = process.platform === 'win32' ? ['win', 'node.exe'] : [process.platform, 'node']
export const ownNode = join(root, 'node_modules', `node-${system}-${process.arch}`, 'bin', program)

/** Saves a good part of the server's start. */
export const resolveOnce = ['--import', new URL('./resolve-once.mjs', import.meta.url).href]

/**
 * Doubles the heap before a full collection: V8 counts picture arrays as growth, but grants a
 * thread with few objects only eight megabytes.
 */
export const heapGrowthFlag = '--heap-growing-percent=100'

/**
 * A small young generation halves the resident memory, since the server has few objects of its own.
 */
export const serverOptions = [...resolveOnce, '--max-semi-space-size=4', heapGrowthFlag]

/**
 * Each further thread repeats most of the shared types. Garbage collection is a third of the work
 * and saves little memory, so it starts late.
 */
export const typeCheck = ['--noEmit', '--checkers', '1']
export const compilerMemory = { GOGC: 'off', GOMEMLIMIT: '3GiB' }

/** Compiled modules save a fifth of the server's start; also Playwright's transformed sources. */
const caches = join(root, 'node_modules', '.cache')

/**
 * Bytes from which glibc returns memory to the system at once. By default the threshold rises to 32
 * MB after the first pictures: 80 MB of an idle server.
 */
const mmapThreshold = { MALLOC_MMAP_THRESHOLD_: '262144' }

/** The project's own Node and tools come first. */
export function environment(extra = {}) {
  const PATH = [bin, dirname(ownNode), process.env.PATH].join(delimiter)
  const NODE_COMPILE_CACHE = join(caches, 'node')
  const PWTEST_CACHE_DIR = join(caches, 'playwright')
  return { ...mmapThreshold, ...process.env, NODE_COMPILE_CACHE, PWTEST_CACHE_DIR, PATH, ...extra }
}

/** Inherits input and output; returns the exit code. */
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

/** Ends this process when the command fails. */
export function runOrExit(command, args, extra, stdout) {
  const code = run(command, args, extra, stdout)
  if (code !== 0) {
    console.error(`\n${command} ${args.join(' ')} failed (exit code ${code}).`)
    process.exit(code)
  }
}

export function runQuietly(command, args, { extra = {}, signal } = {}) {
  return start(command, args, { extra, signal, stdio: ['ignore', 'pipe', 'pipe'] })
}

export function runVerbose(command, args, { extra = {}, signal } = {}) {
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
