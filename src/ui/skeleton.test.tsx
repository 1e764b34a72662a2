import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, it } from 'vitest'
import { startI18n } from '#client/i18n.ts'
import { pictureFile } from '#tests/support/components/samples.ts'
import { removeInstantStage, replaceInstantStage, showInstantStage } from './instant-stage.ts'
import { StudioSkeleton } from './skeleton.tsx'

const instant = () => document.getElementById('instant-stage')

async function loadEarlyScript(): Promise<void> {
  const script = document.createElement('script')
  script.src = '/early.js'
  await new Promise((loaded) => {
    script.onload = loaded
    document.head.append(script)
  })
}

const classesOf = (root: Element) => [root, ...root.querySelectorAll('div')].map(({ className }) => className)

afterEach(removeInstantStage)

it('shows a chosen photo at once in the shape of a studio that is loading', async () => {
  await Promise.all([loadEarlyScript(), startI18n({ indonesian: false })])
  showInstantStage(new Blob(['x'], { type: 'text/plain' }), 'Hapus Latar')
  expect(instant()).toBeNull()
  showInstantStage(await pictureFile(), 'Hapus Latar')
  showInstantStage(await pictureFile(), 'Hapus Latar')
  expect(document.querySelectorAll('#instant-stage')).toHaveLength(1)
  const shown = instant() as HTMLElement
  expect(shown.textContent).toBe('Hapus Latar')

  const container = document.createElement('div')
  const root = createRoot(container)
  await new Promise<void>((rendered) => {
    root.render(
      <I18nProvider i18n={i18n}>
        <StudioSkeleton />
        <span ref={() => rendered()} />
      </I18nProvider>,
    )
  })
  const title = 'skeleton h-6 w-40'
  expect(classesOf(container.firstElementChild as Element).filter((name) => name !== title)).toEqual(classesOf(shown))
  root.unmount()
})

it('hands the stage over once the studio shows a picture, or when it goes', async () => {
  await loadEarlyScript()
  showInstantStage(await pictureFile(), '')
  const stage = document.createElement('div')
  document.body.append(stage)
  replaceInstantStage(stage)
  expect(instant()).not.toBeNull()
  const picture = new Image()
  picture.src = URL.createObjectURL(await pictureFile())
  stage.append(picture)
  await expect.poll(instant).toBeNull()

  showInstantStage(await pictureFile(), '')
  replaceInstantStage(document.createElement('div'))()
  expect(instant()).toBeNull()
  stage.remove()
})
