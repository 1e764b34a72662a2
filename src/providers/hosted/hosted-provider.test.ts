import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Json } from '#shared/schema.ts'
import { createHostedProvider } from './hosted-provider.ts'
import type { HostedService } from './hosted-service.ts'
import type { HostedModel } from './model.ts'

const png = async (width: number, height: number) =>
  new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background: '#468' } })
      .png()
      .toBuffer(),
  )

async function sent(labels: string[]) {
  const created: Record<string, Json>[] = []
  const sizes: string[] = []
  const service: Partial<HostedService> = {
    id: 'fal',
    async create(_, input) {
      created.push(input)
      return 'job'
    },
    async upload(bytes) {
      const { width, height } = await sharp(bytes).metadata()
      return `https://files.example/${sizes.push(`${width}x${height}`)}`
    },
  }
  const model: HostedModel = {
    task: 'background',
    target: 'a/b',
    input: { image: { from: 'picture' }, place: { from: 'reference' }, prompt: { from: 'prompt' } },
    output: '',
    price: 0,
    timeLimit: 60,
  }
  const provider = createHostedProvider(service as HostedService, {
    settings: async () => ({ enabled: true, budgetDay: null, budgetMonth: null, models: [model] }),
    webhookOf: () => undefined,
    now: () => new Date(),
  })
  const all = { picture: [64, 48], reference: [90, 30] } as const
  const files = await Promise.all(
    labels.map(async (label) => {
      const [width, height] = all[label as keyof typeof all]
      return { label, contentType: 'image/png', extension: 'png', bytes: await png(width, height), width, height }
    }),
  )
  const request = {
    task: 'background' as const,
    reference: 'r',
    slot: '',
    smaller: false,
    files,
    data: { prompt: 'laut' },
  }
  await provider.submit(request as Parameters<typeof provider.submit>[0], new AbortController().signal)
  return { input: created[0], sizes }
}

test('a picture of the wanted place is sent in its own shape to models that take one', async () => {
  const { input, sizes } = await sent(['picture', 'reference'])
  expect(Object.keys(input!)).toEqual(['image', 'place', 'prompt'])
  expect(sizes).toEqual(['64x48', '90x30'])
})

test('without such a picture its field is left out', async () => {
  expect(Object.keys((await sent(['picture'])).input!)).toEqual(['image', 'prompt'])
})
