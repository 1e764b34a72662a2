import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { openApp } from '#tests/support/components/open-app.tsx'
import { pictureFile, sari, tools } from '#tests/support/components/samples.ts'
import { button, choose } from '#tests/support/components/screen.ts'

it('shows that each of two quick taps is looked into, and marks what the server selects', async () => {
  const { promise: found, resolve: find } = Promise.withResolvers<Response>()
  const { api } = await openApp('/ai-object-removal', {
    user: sari,
    api: {
      ...new GenerationServer().routes,
      'GET /api/tools': { items: tools.map((tool) => ({ ...tool, others: ['selectObject'] })) },
      'POST /api/select': async () => (await found).clone(),
    },
  })
  await choose(await pictureFile(64, 48))
  await button('Ketuk untuk menandai').click()
  ;(page.getByRole('application').element() as HTMLElement).focus()
  await userEvent.keyboard(' {ArrowRight} ')
  const rings = () => document.querySelectorAll('.mask-canvas .loading')
  await expect.poll(rings).toHaveLength(2)
  await expect
    .poll(() => api.callsTo('POST /api/select'))
    .toMatchObject([{ body: { points: [{ x: 32, y: 24, keep: true }] } }, {}])
  const mask = new OffscreenCanvas(64, 48)
  const context = mask.getContext('2d') as OffscreenCanvasRenderingContext2D
  context.fillStyle = 'black'
  context.fillRect(0, 0, 64, 48)
  context.fillStyle = 'white'
  context.fillRect(16, 12, 32, 24)
  find(new Response(await mask.convertToBlob()))
  const drawn = () => {
    const canvas = document.querySelector('.mask-canvas canvas') as HTMLCanvasElement
    const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
    return Array.from(pixels).filter((value, i) => i % 4 === 3 && value > 0).length / (canvas.width * canvas.height)
  }
  // A quarter of the picture is white.
  await expect.poll(drawn).toBeCloseTo(0.25, 1)
  await expect.poll(rings).toHaveLength(0)
})
