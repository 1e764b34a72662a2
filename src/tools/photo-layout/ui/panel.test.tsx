import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { GenerationServer } from '#tests/support/components/generation-server.ts'
import { openApp } from '#tests/support/components/open-app.tsx'
import { pictureFile, sari } from '#tests/support/components/samples.ts'
import { button, choose } from '#tests/support/components/screen.ts'

it('prints on paper from a group of its own, and keeps the tools of a photo off the other photos', async () => {
  const server = new GenerationServer()
  await openApp('/photo-layout', { user: sari, size: [844, 390], api: server.routes })
  await choose(...(await Promise.all([1, 2, 3, 4].map((n) => pictureFile(200 + n, 200, `${n}.png`)))))
  const cells = page.getByRole('button', { name: /^Foto \d/ })
  await expect.element(cells).toHaveLength(4)
  await cells.first().click()
  const boxes = cells.elements().map((cell) => cell.getBoundingClientRect())
  const tools = button('Perbesar foto').element().parentElement?.getBoundingClientRect() as DOMRect
  const covered = boxes.filter(
    ({ left, right, top, bottom }) =>
      Math.min(right, tools.right) - Math.max(left, tools.left) > 1 &&
      Math.min(bottom, tools.bottom) - Math.max(top, tools.top) > 1,
  )
  expect(covered).toEqual([boxes[0]])

  await button('Cetak').click()
  await page.getByText('4R', { exact: true }).click()
  await expect.element(page.getByRole('switch', { name: 'PDF untuk dicetak' })).toBeChecked()
  await button(/^Susun foto/).click()
  await expect.poll(() => server.generations[0]?.params).toMatchObject({ shape: '4r', pdf: true })
})
