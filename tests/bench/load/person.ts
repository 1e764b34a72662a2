import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { OrderView } from '#features/billing/schemas.ts'
import { openStatuses } from '#features/generations/rules.ts'
import type { GenerationCreated, GenerationView, PreviewView } from '#features/generations/schemas.ts'
import { type Client, createClient, jsonOf, refusalOf } from './client.ts'
import { type EventReader, readEvents } from './event-reader.ts'
import { type Measure, passes } from './measure.ts'

/** Acknowledged work that must not be lost. */
export interface Promises {
  people: { email: string; client: Client }[]
  /** By the request's key. */
  generations: Map<string, { id: string; person: string }>
  orders: Map<string, { id: string; person: string }>
  /** No event reported the end in time. */
  untold: string[]
  problems: string[]
}

export interface World {
  url: string
  measure: Measure
  promises: Promises
  /** The first is as small as previews are. */
  photos: Uint8Array<ArrayBuffer>[]
  linkIn(email: string, path: RegExp): string | undefined
  until: number
  /** Average milliseconds between two actions. */
  think: number
}

const pieceBytes = 512 * 1024
const password = 'Rahasia-123!'
const tus = { 'tus-resumable': '1.0.0' }
/** Longest accepted delay of an event, in milliseconds. */
const eventMilliseconds = 5000

export async function live(world: World, number: number): Promise<void> {
  const { measure, promises } = world
  // Sixteen users share a network, as behind a carrier.
  const address = `10.${number >> 12}.${(number >> 4) & 255}.${1 + (number & 15)}`
  const client = createClient(world.url, address, measure)
  const think = () => pause(world.think * (0.3 + Math.random() * 1.4))
  const going = () => performance.now() < world.until

  await visit(client)
  await think()
  if (going() && Math.random() < 0.3) await preview(world, client)
  if (!going()) return
  const email = await signUp(world, client, number)
  promises.people.push({ email, client })
  const events = readEvents(client)
  const person = { world, client, events, email }
  try {
    while (going()) {
      const dice = Math.random()
      if (dice < 0.1) await offlineBurst(person)
      else if (dice < 0.2) await buy(person)
      else if (dice < 0.35) await look(client)
      else await run(person)
      await think()
    }
  } finally {
    events.close()
  }
}

interface Person {
  world: World
  client: Client
  events: EventReader
  email: string
}

async function succeed(client: Client, route: string, path: string, asked?: Parameters<Client['ask']>[2]) {
  const answer = await client.ask(route, path, asked)
  if (answer.status < 400) return answer
  throw new Error(`${route}: ${refusalOf(answer)}`)
}

async function visit(client: Client): Promise<void> {
  const page = (await client.ask('GET /', '/')).bytes.toString()
  const files = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string)
  await Promise.all(files.slice(0, 6).map((path) => client.ask('GET /assets', path)))
  const paths = ['/api/tools?schemas=none', '/api/packages', '/api/site']
  await Promise.all(paths.map((path) => client.ask(`GET ${path}`, path)))
}

/** If the preview fails, the app continues without. */
async function preview({ photos, promises }: World, client: Client): Promise<void> {
  const form = new FormData()
  form.append('picture', new Blob(photos.slice(0, 1), { type: 'image/jpeg' }), 'foto.jpg')
  const route = 'POST /api/tools/:tool/preview'
  const answer = await client.askOnce(route, '/api/tools/background-removal/preview', { method: 'POST', body: form })
  if (!answer || passes(answer.status)) return
  if (answer.status !== 200) promises.problems.push(`${route}: ${refusalOf(answer)}`)
  else if (jsonOf<PreviewView>(answer).outputs.length === 0) promises.problems.push(`${route}: nothing was made`)
}

async function signUp({ linkIn }: World, client: Client, number: number): Promise<string> {
  const email = `orang-${number}-${randomUUID().slice(0, 8)}@contoh.id`
  const json = { name: 'Sari', email, password, agreeToTerms: true, birthYear: 1990 }
  const registered = await client.ask('POST /api/register', '/api/register', { method: 'POST', json })
  // A repeated request may have succeeded the first time.
  if (registered.status >= 400 && registered.status !== 409) throw new Error(`register: ${refusalOf(registered)}`)
  let link: string | undefined
  while (!link) {
    link = linkIn(email, /\/api\/verify_email\/[\w-]+/)
    if (!link) await pause(200)
  }
  await client.ask('GET /api/verify_email', link)
  const answer = await succeed(client, 'POST /api/login', '/api/login', {
    method: 'POST',
    json: { email, password, remember: true },
  })
  client.token = jsonOf<{ access_token: string }>(answer).access_token
  await client.ask('GET /api/user/me', '/api/user/me')
  return email
}

async function upload({ client, world }: Person): Promise<string> {
  const photo = anyOf(world.photos)
  for (;;) {
    const begun = await succeed(client, 'POST /api/uploads', '/api/uploads', {
      method: 'POST',
      headers: {
        ...tus,
        'upload-length': String(photo.length),
        'upload-metadata': `filename ${Buffer.from('foto.jpg').toString('base64')}`,
      },
    })
    const path = begun.headers.get('location') ?? ''
    let acknowledged = 0
    for (let offset = 0; offset < photo.length; ) {
      const sent = await client.ask('PATCH /api/uploads/:id', path, {
        method: 'PATCH',
        body: photo.slice(offset, offset + pieceBytes),
        headers: { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
      })
      if (sent.status === 204) {
        offset = Number(sent.headers.get('upload-offset'))
        acknowledged = offset
        continue
      }
      // The server's offset decides after an unexpected response.
      const head = await client.ask('HEAD /api/uploads/:id', path, { method: 'HEAD', headers: tus })
      if (head.status >= 400) throw new Error(`an upload of which ${acknowledged} bytes were taken is gone`)
      offset = Number(head.headers.get('upload-offset'))
      if (offset < acknowledged) {
        world.promises.problems.push(`an upload went back from ${acknowledged} to ${offset} bytes`)
      }
    }
    return path.split('/').at(-1) ?? ''
  }
}

async function run(person: Person): Promise<void> {
  const { client, world, email } = person
  const { promises } = world
  const key = randomUUID()
  const id = await upload(person)
  const json = { tool: 'background-removal', params: { subject: 'person' }, inputs: { picture: [{ upload: id }] } }
  const asked = { method: 'POST', seconds: 15, json, headers: { 'idempotency-key': key } }
  const started = performance.now()
  const created = await client.ask('POST /api/generations', '/api/generations', asked)
  if (created.status === 402) return await buy(person)
  if (created.status >= 400) {
    promises.problems.push(`POST /api/generations: ${refusalOf(created)}`)
    return
  }
  const generation = jsonOf<GenerationCreated>(created)
  promises.generations.set(key, { id: generation.id, person: email })
  const view = await end(person, generation.id)
  world.measure.note('generation, from request to result', performance.now() - started, 200)
  if (view.status !== 'succeeded') return
  const [output] = view.outputs
  const file = await client.ask('GET /api/files/:id', output?.url ?? '')
  // The address may have expired during an outage.
  if (file.status === 200 && file.bytes.length !== output?.bytes) {
    promises.problems.push(`a result of ${output?.bytes} bytes came with ${file.bytes.length}`)
  }
  if (Math.random() > 0.3) return
  const again = { params: { ...view.params, background: { type: 'color', color: '#0090ff' }, format: 'jpeg' } }
  const path = `/api/generations/${generation.id}/render`
  const rendered = await client.ask('POST /api/generations/:id/render', path, { method: 'POST', json: again })
  if (rendered.status >= 400) promises.problems.push(`POST /api/generations/:id/render: ${refusalOf(rendered)}`)
}

/** Also polls now and then, to find missed events. */
async function end({ client, events, world }: Person, id: string): Promise<GenerationView> {
  const isOpen = (view: GenerationView | undefined) =>
    !view || (openStatuses as readonly string[]).includes(view.status)
  let foundAt: number | undefined
  for (let looks = 1; ; looks += 1) {
    const told = events.latest<GenerationView>('generation', id)
    if (told && !isOpen(told)) return told
    await events.next(foundAt ? 500 : 5000)
    if (looks % 4 > 0 && !foundAt) continue
    const answer = await client.ask('GET /api/generations/:id', `/api/generations/${id}`)
    if (answer.status !== 200) throw new Error(`a generation is gone: ${answer.status}`)
    const view = jsonOf<GenerationView>(answer)
    if (isOpen(view)) continue
    foundAt ??= performance.now()
    if (performance.now() - foundAt < eventMilliseconds) continue
    world.promises.untold.push(id)
    return view
  }
}

async function buy({ client, world, email }: Person): Promise<void> {
  const key = randomUUID()
  const json = { packageId: 'starter', method: 'qris', acceptPrivacy: true, acceptTerms: true }
  const asked = { method: 'POST', json, headers: { 'idempotency-key': key } }
  const placed = await succeed(client, 'POST /api/orders', '/api/orders', asked)
  const order = jsonOf<OrderView>(placed)
  const { payment } = order
  if (!payment?.url) return
  const { pathname } = new URL(payment.url)
  const paid = await client.ask('POST /api/simulator/:id/pay', `${pathname}/pay`, { method: 'POST' })
  // A repeated payment is no longer payable.
  if (paid.status < 400) world.promises.orders.set(key, { id: order.id, person: email })
  const path = `/api/orders/${order.id}`
  for (let tries = 0; tries < 60; tries += 1) {
    const view = jsonOf<OrderView>(await succeed(client, 'GET /api/orders/:id', path))
    if (view.status === 2 || view.status === 3) return
    await pause(1000)
  }
}

async function look(client: Client): Promise<void> {
  const answer = await succeed(client, 'GET /api/generations', '/api/generations?limit=20')
  const { items } = jsonOf<{ items: GenerationView[] }>(answer)
  const shown = items.flatMap(({ thumbnailUrl }) => thumbnailUrl ?? []).slice(0, 4)
  await Promise.all(shown.map((url) => client.ask('GET thumbnail', url)))
  await client.ask('GET /api/user/myCredit', '/api/user/myCredit')
}

/** As when the network is back. */
async function offlineBurst(person: Person): Promise<void> {
  await pause(person.world.think)
  await Promise.all(Array.from({ length: 3 }, () => run(person)))
}

const anyOf = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item
