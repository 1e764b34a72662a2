import { act, Component, type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { tolerateForeignChanges } from './foreign-changes.ts'

const { insertBefore, removeChild } = Node.prototype
beforeAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
  tolerateForeignChanges(document.body)
})
afterAll(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  Object.assign(Node.prototype, { insertBefore, removeChild })
})

const textsIn = (element: Element) => {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) texts.push(walker.currentNode as Text)
  return texts.filter((text) => text.data.trim() !== '' && !text.parentElement?.closest('font'))
}

function translated(...texts: Text[]): Element {
  const font = document.createElement('font')
  font.innerHTML = '<font></font>'
  font.firstElementChild!.textContent = texts.map(({ data }) => data.toUpperCase()).join('')
  return font
}

/** Ways in which others change the texts of a page. */
const changes: Record<string, (element: Element) => void> = {
  'replaces each text in one step': (element) => {
    for (const text of textsIn(element)) text.replaceWith(translated(text))
  },
  'inserts, then removes, outside of the world of the page': (element) => {
    for (const text of textsIn(element)) {
      insertBefore.call(text.parentNode, translated(text), text)
      removeChild.call(text.parentNode, text)
    }
  },
  'inserts, then removes, as the page itself would': (element) => {
    for (const text of textsIn(element)) {
      text.parentNode!.insertBefore(translated(text), text)
      text.parentNode!.removeChild(text)
    }
  },
  'joins neighbouring texts': (element) => {
    const texts = textsIn(element)
    const startsRun = (text: Text) => !texts.includes(text.previousSibling as Text)
    for (const first of texts.filter(startsRun)) {
      const run = [first]
      while (texts.includes(run.at(-1)!.nextSibling as Text)) run.push(run.at(-1)!.nextSibling as Text)
      first.before(translated(...run))
      for (const text of run) text.remove()
    }
  },
  'wraps each text': (element) => {
    for (const text of textsIn(element)) {
      const font = document.createElement('font')
      text.replaceWith(font)
      font.append(text)
    }
  },
  'takes texts out': (element) => {
    for (const text of textsIn(element)) text.remove()
  },
  'writes a button anew': (element) => {
    const button = element.querySelector('button')!
    button.innerHTML = button.innerHTML.toUpperCase()
  },
  'joins the texts themselves': (element) => element.normalize(),
  'splits texts': (element) => {
    for (const text of textsIn(element)) if (text.length > 1) text.splitText(1)
  },
  'adds elements between': (element) => {
    for (const text of textsIn(element)) text.before(document.createElement('img'))
    element.querySelector('button')!.append(document.createElement('img'))
  },
  'wraps elements': (element) => {
    for (const child of [...element.querySelectorAll('i, b')]) {
      const wrapper = document.createElement('div')
      child.replaceWith(wrapper)
      wrapper.append(child)
    }
  },
}

let died = false
class Boundary extends Component<{ children: ReactNode }> {
  override componentDidCatch(): void {
    died = true
  }
  static getDerivedStateFromError() {
    return {}
  }
  override render(): ReactNode {
    return this.props.children
  }
}

let set: (price: number) => void

function Button() {
  const [price, setPrice] = useState(5)
  set = setPrice
  return (
    <button type="button">
      Proses · {price} kredit{price > 9 && <b>mahal</b>}
      {price < 9 ? 'murah' : <i>jadi</i>} sisa {20 - price}
      {price === 7 && ' pas'}
    </button>
  )
}

function open(): HTMLElement {
  died = false
  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  act(() =>
    root.render(
      <Boundary>
        <Button />
      </Boundary>,
    ),
  )
  onTestFinished(() => {
    act(() => root.unmount())
    container.remove()
  })
  return container
}

const expected = (price: number) =>
  `Proses · ${price} kredit${price > 9 ? 'mahal' : ''}${price < 9 ? 'murah' : 'jadi'} sisa ${20 - price}${price === 7 ? ' pas' : ''}`

/** Programs change the page in tasks of their own. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

const shown = async (container: HTMLElement) => {
  await nextTask()
  return container.textContent.toLowerCase()
}

describe.each(Object.entries(changes))('the page lives, with its true prices, when another program %s', (_, change) => {
  it('between all updates', async () => {
    const container = open()
    for (const price of [7, 15, 7, 5, 12, 3]) {
      change(container)
      await nextTask()
      act(() => set(price))
      expect(await shown(container)).toBe(expected(price).toLowerCase())
    }
    expect(died).toBe(false)
  })

  it('once, before several updates, and when the page goes', async () => {
    const container = open()
    change(container)
    await nextTask()
    for (const price of [15, 7, 3]) act(() => set(price))
    expect(await shown(container)).toBe(expected(3).toLowerCase())
    change(container)
    expect(died).toBe(false)
  })
})
