// Many users at a fleet on this machine: `npm run load -- --people 500 --minutes 5`. Prints times,
// failures, and processor time of each part.
import { parseArgs } from 'node:util'
import { startFleet } from '../../support/fleet.ts'
import { sendCrowd } from './crowd.ts'
import { findBrokenPromises, printProblems } from './kept-promises.ts'
import { processorTime } from './processor-time.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '40' },
    minutes: { type: 'string', default: '2' },
    think: { type: 'string', default: '6' },
    webs: { type: 'string', default: '2' },
    workers: { type: 'string', default: '2' },
  },
})
const [people, minutes, think, webs, workers] = [
  ...[values.people, values.minutes, values.think, values.webs, values.workers],
].map(Number) as [number, number, number, number, number]

const fleet = await startFleet({ webs, workers })
if (!fleet) {
  console.log('PostgreSQL was not found; there can be no fleet')
  process.exit(1)
}
try {
  const { name } = fleet.postgres
  console.log(`${webs} web, ${workers} worker, ${name}, ${fleet.pooler.name}, ${fleet.proxy.name}, an S3 double`)
  console.log(`${people} people for ${minutes} min, who think for ${think} s between two things`)
  const before = processorTime(fleet)
  const started = performance.now()
  const { measure, promises, done } = await sendCrowd(fleet, { people, minutes, think: think * 1000 })
  await done
  const seconds = (performance.now() - started) / 1000
  console.log(`\n${measure.table()}\n`)
  const { requests, failed } = measure.total()
  console.log(
    `${(requests / seconds).toFixed(1)} requests a second, of which ${failed} had to be asked again; ${promises.generations.size} generations`,
  )
  const after = processorTime(fleet)
  if (before && after) {
    const used = Object.keys(after).map((part) => [part, (after[part] ?? 0) - (before[part] ?? 0)] as const)
    const total = used.reduce((sum, [, each]) => sum + each, 0)
    const shares = used.map(([part, each]) => `${part} ${((100 * each) / total).toFixed(0)} %`)
    console.log(`processor time: ${(total / seconds).toFixed(2)} cores; ${shares.join(', ')}`)
  }
  const problems = await findBrokenPromises(fleet, promises)
  printProblems(problems)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await fleet.stop()
}
