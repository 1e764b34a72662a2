// Start to first answer, idle resident memory, and sizes of a first visit.
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
const dataDir = mkdtempSync(join(tmpdir(), 'rupa-bench-'))

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function start() {
  const port = await freePort()
  const began = performance.now()
  const child = spawn(process.execPath, [...process.execArgv, 'src/server-app/main.ts'], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'silent', WELCOMES_PER_DOMAIN: '0' },
  })
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/tools`).catch(() => undefined)
    if (answer?.ok) break
    if (child.exitCode !== null) throw new Error(`the server ended with exit code ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { child, seconds: (performance.now() - began) / 1000 }
}

async function stop(child: ReturnType<typeof spawn>) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

function bareNode(): Promise<number> {
  const began = performance.now()
  const child = spawn(process.execPath, ['-e', '0'])
  return new Promise((resolve) => child.once('exit', () => resolve((performance.now() - began) / 1000)))
}

const first = await start()
await stop(first.child)
console.log(`first start, database made:  ${first.seconds.toFixed(2)} s to the first answer`)
const later: number[] = []
const floor: number[] = []
let resident = 0
for (let round = 0; round < 3; round++) {
  floor.push(await bareNode())
  const { child, seconds } = await start()
  later.push(seconds)
  await new Promise((resolve) => setTimeout(resolve, 3000))
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  resident = Math.max(resident, Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024)
  await stop(child)
}
const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] as number
const ratio = median(later) / median(floor)
console.log(
  `later starts:                ${median(later).toFixed(2)} s, ${ratio.toFixed(1)} × an empty Node process (aim ≤ 3 s)`,
)
console.log(`idle, web and worker in one: ${resident.toFixed(0)} MB resident (aim ≤ 500)`)
rmSync(dataDir, { recursive: true, force: true })

const assets = join(root, 'dist', 'assets')
const sizes = readdirSync(assets)
  .filter((name) => name.endsWith('.br'))
  .map((name) => ({ name: name.replace(/\.br$/, ''), kilobytes: statSync(join(assets, name)).size / 1024 }))
  .sort((a, b) => b.kilobytes - a.kilobytes)
console.log('largest files, brotli (e2e/budget.spec.ts holds them to their budgets):')
for (const { name, kilobytes } of sizes.slice(0, 8)) console.log(`  ${kilobytes.toFixed(1).padStart(6)} KB  ${name}`)
