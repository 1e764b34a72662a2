import { createHash, type Hash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { EngineHost } from '#engine/host.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { isAddedLocation } from '#engine/scenes.ts'
import type { AnyEngine, ToolInput } from '#tools/engine/tool-engine.ts'

// The tests show the same few photographs to the same networks and tools hundreds of times. What
// they find is kept for the run in its temporary folder, for all files, threads and processes.
// Every distinct input is still computed by the real code.

const folder = join(tmpdir(), 'remembered')

/** A new copy for each caller, which may change it. */
function recall(key: string): unknown {
  const path = join(folder, key)
  return existsSync(path) ? deserialize(readFileSync(path)) : undefined
}

function keep(key: string, found: unknown): void {
  mkdirSync(folder, { recursive: true })
  const part = join(folder, randomUUID())
  writeFileSync(part, serialize(found))
  renameSync(part, join(folder, key))
}

async function remembered<Found>(key: string, compute: () => Promise<Found>): Promise<Found> {
  const known = recall(key) as Found | undefined
  if (known !== undefined) return known
  const found = await compute()
  keep(key, found)
  return found
}

function keyOf(...parts: unknown[]): string {
  const hash = createHash('sha1')
  addTo(hash, parts)
  return hash.digest('hex')
}

function addTo(hash: Hash, value: unknown): void {
  if (ArrayBuffer.isView(value)) {
    hash.update(`${value.byteLength}:`)
    hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength))
  } else if (value && typeof value === 'object') {
    hash.update(Array.isArray(value) ? '[' : '{')
    for (const [name, part] of Object.entries(value)) {
      hash.update(`${name}:`)
      addTo(hash, part)
    }
    hash.update('}')
  } else hash.update(`${typeof value} ${value};`)
}

/** Networks and light probes. */
export function rememberedHost(host: EngineHost): EngineHost {
  const once =
    <Picture, Rest extends unknown[], Found>(
      name: string,
      find: (picture: Picture, ...rest: Rest) => Promise<Found>,
    ): typeof find =>
    (picture, ...rest) =>
      remembered(keyOf(name, picture, rest), () => find(picture, ...rest))
  return {
    ...host,
    personMask: once('personMask', host.personMask),
    faces: once('faces', host.faces),
    faceMesh: once('faceMesh', host.faceMesh),
    describeFace: once('describeFace', host.describeFace),
    hands: once('hands', host.hands),
    objects: once('objects', host.objects),
    salience: once('salience', host.salience),
    surroundings: (id) =>
      isAddedLocation(id) ? host.surroundings(id) : remembered(keyOf('surroundings', id), () => host.surroundings(id)),
  }
}

/** For tests that call tasks directly. */
export const testHost = (): EngineHost => rememberedHost(createNodeHost(new AbortController().signal, () => {}))

type Step<Found> = (input: ToolInput<object>, host: EngineHost) => Promise<Found>

/** Checks and generations of pictures, which are pure. */
export function rememberedEngine(id: string, engine: AnyEngine, remembers: () => boolean): AnyEngine {
  const once =
    <Found>(step: string, compute: Step<Found>): Step<Found> =>
    async (input, host) => {
      const { params, inputs, done } = input
      const isPure = Object.values(inputs)
        .flat()
        .every((file: object) => 'data' in file)
      if (!isPure || !remembers()) return compute(input, host)
      const key = keyOf(step, id, inputs, done)
      const read = new Set(recall(key) as string[] | undefined)
      const keyOfRead = () =>
        keyOf(
          key,
          [...read].sort().map((name) => [name, Reflect.get(params, name)]),
        )
      const known = recall(keyOfRead()) as Found | undefined
      if (known !== undefined) return known
      const found = await compute({ ...input, params: noteReading(params, read) }, host)
      keep(key, [...read])
      keep(keyOfRead(), found)
      return found
    }
  const { check, generate } = engine
  return {
    ...engine,
    ...(check && { check: once('check', check) }),
    ...(generate && { generate: once('generate', generate) }),
  }
}

/** Results do not depend on parameters that were not read. */
function noteReading<Params extends object>(params: Params, read: Set<string>): Params {
  return new Proxy(params, {
    get(target, name) {
      read.add(String(name))
      return Reflect.get(target, name)
    },
    has(target, name) {
      read.add(String(name))
      return Reflect.has(target, name)
    },
  })
}
