import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import sharp from 'sharp'
import type { Fleet } from '../../support/fleet.ts'
import { createMeasure, type Measure } from './measure.ts'
import { live, type Promises } from './person.ts'

export interface Crowd {
  measure: Measure
  promises: Promises
  done: Promise<void>
}

/** Users arrive over the first fifth of the time. */
export async function sendCrowd(
  fleet: Pick<Fleet, 'url' | 'mails'>,
  { people, minutes, think }: { people: number; minutes: number; think: number },
): Promise<Crowd> {
  const measure = createMeasure()
  const promises: Promises = { people: [], generations: new Map(), orders: new Map(), untold: [], problems: [] }
  const until = performance.now() + minutes * 60_000
  const linkIn = mailReader(fleet.mails)
  const world = { url: fleet.url, measure, promises, photos: await photos(), linkIn, until, think }
  const come = async (number: number) => {
    await pause((Math.random() * minutes * 60_000) / 5)
    await live(world, number).catch((error: unknown) => {
      promises.problems.push(`${error instanceof Error ? error.message : error}`)
    })
  }
  const done = Promise.all(Array.from({ length: people }, (_, index) => come(index + 1))).then(() => {})
  return { measure, promises, done }
}

/** As reduced by the app: 60 to 900 KB. */
async function photos(): Promise<Uint8Array<ArrayBuffer>[]> {
  const fixture = readFileSync(join(import.meta.dirname, '..', '..', 'fixtures', 'photos', 'astronaut.jpg'))
  const made = [480, 640, 960].map((width, index) =>
    sharp(fixture)
      .resize(width)
      .jpeg({ quality: [80, 90, 100][index] as number })
      .toBuffer(),
  )
  return (await Promise.all(made)).map((bytes) => new Uint8Array(bytes))
}

function mailReader({ received }: Fleet['mails']) {
  const texts = new Map<string, string>()
  let read = 0
  return (email: string, path: RegExp): string | undefined => {
    for (; read < received.length; read += 1) {
      const { to, source } = received[read] as (typeof received)[number]
      for (const address of to) texts.set(address, (texts.get(address) ?? '') + source.replaceAll('=\r\n', ''))
    }
    return path.exec(texts.get(email) ?? '')?.[0]
  }
}
