// Ten minutes of users at a fleet with faults: kills of webs and workers, a PostgreSQL crash, a
// failing storage, a full disk. MINUTES and PEOPLE choose another run.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Machine, startFleet } from '../../support/fleet.ts'
import { sendCrowd } from './crowd.ts'
import { findBrokenPromises, printProblems } from './kept-promises.ts'

const minutes = Number(process.env.MINUTES ?? 10)
const people = Number(process.env.PEOPLE ?? 12)
const everything = minutes * 60
const since = () => `${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s`
const say = (line: string) => console.log(`${since()}  ${line}`)
const recoveries: number[] = []

const small = smallDisk()
let began = performance.now()
const fleet = await startFleet({ dataDirs: small ? [small.folder] : [] })
if (!fleet) {
  console.log('PostgreSQL was not found; there can be no fleet')
  process.exit(1)
}
began = performance.now()
let killing = true
try {
  const { measure, promises, done } = await sendCrowd(fleet, { people, minutes, think: 3000 })
  const chaos = Promise.all([
    kill([...fleet.webs], 20_000),
    kill([...fleet.workers], 12_000),
    at(0.2, async () => {
      say('the storage answers 503 for 20 s')
      fleet.storage.fail({ match: /./, as: 503 })
      await pause(20_000)
      fleet.storage.heal()
      await recovered('the storage answers again')
    }),
    at(0.4, async () => {
      say('PostgreSQL crashes')
      await fleet.postgres.restart()
      await recovered('PostgreSQL is back')
    }),
    at(0.6, async () => {
      say('the network to the storage is cut for 20 s')
      fleet.storage.fail({ match: /./, as: 'silence' })
      await pause(20_000)
      fleet.storage.heal()
      await recovered('the network is back')
    }),
    ...(small
      ? [
          at(0.75, async () => {
            say('the disk of a worker is full for 30 s')
            const space = small.fill()
            await pause(30_000)
            rmSync(space, { force: true })
            await recovered('the disk has room again')
          }),
        ]
      : []),
  ])
  const last = at(1, async () => {
    killing = false
  })
  await Promise.all([chaos, last, done])
  say('all users have left; checking what was promised')
  for (const one of [...fleet.webs, ...fleet.workers]) if (hasEnded(one)) await one.start()
  const problems = await findBrokenPromises(fleet, promises)
  const { requests, failed } = measure.total()
  console.log(`\n${measure.table()}\n`)
  console.log(
    `${requests} requests, ${failed} of them asked again; ${promises.generations.size} generations, ${promises.orders.size} orders`,
  )
  console.log(`longest recovery ${Math.max(...recoveries).toFixed(1)} s of ${recoveries.length}`)
  printProblems(problems)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  killing = false
  await fleet.stop()
  small?.remove()
}

function hasEnded(one: Machine): boolean {
  const { exitCode, signalCode } = one.process().child
  return exitCode !== null || signalCode !== null
}

/** After this share of the time. */
async function at(share: number, what: () => Promise<void>): Promise<void> {
  await pause(Math.max(0, began + share * everything * 1000 - performance.now()))
  await what()
}

/** Kills at random; another process replaces each. */
async function kill(machines: Machine[], milliseconds: number): Promise<void> {
  for (;;) {
    await pause(milliseconds * (0.5 + Math.random()))
    if (!killing) return
    const victim = machines[Math.floor(Math.random() * machines.length)] as Machine
    say(`kill -9 a ${victim.role}`)
    await victim.kill()
    await victim.start()
  }
}

async function recovered(what: string): Promise<void> {
  const from = performance.now()
  const reasons = new Map<string, number>()
  for (;;) {
    const ready = await fetch(`${fleet?.url}/readyz`, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    if (ready?.ok) break
    const reason = ready ? `${ready.status} ${(await ready.text().catch(() => '')).slice(0, 120)}` : 'no answer'
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    await pause(250)
  }
  recoveries.push((performance.now() - from) / 1000)
  const waits = [...reasons].map(([reason, times]) => `, ${times} × ${reason}`).join('')
  say(`${what}; ready after ${recoveries.at(-1)?.toFixed(1)} s${waits}`)
}

function smallDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-small-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    console.log('a disk cannot be mounted here, so none becomes full')
    rmSync(folder, { recursive: true, force: true })
    return undefined
  }
  return {
    folder,
    fill(): string {
      const path = join(folder, 'others')
      try {
        for (;;) writeFileSync(path, Buffer.alloc(1024 * 1024), { flag: 'a' })
      } catch {
        return path
      }
    },
    remove() {
      execFileSync('umount', [folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
