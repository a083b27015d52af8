// The filter script of the HTML page; without JavaScript the page shows everything.

export const script = `
(() => {
  const form = document.querySelector('form')
  const words = form.querySelector('input[type=search]')
  const boxes = [...form.querySelectorAll('input[type=checkbox]')]
  const status = form.querySelector('output')
  const items = [...document.querySelectorAll('details')]
  const texts = items.map((item) => item.textContent.toLowerCase())
  const filter = () => {
    const wanted = words.value.toLowerCase().split(/\\s+/).filter(Boolean)
    const kinds = boxes.filter((box) => box.checked).map((box) => box.value)
    let shown = 0
    items.forEach((item, index) => {
      const some = item.dataset.severities.split(' ').some((kind) => kind === '' || kinds.includes(kind))
      item.hidden = !some || !wanted.every((word) => texts[index].includes(word))
      if (!item.hidden) shown += 1
    })
    status.value = shown + ' of ' + items.length + ' shown'
  }
  form.addEventListener('input', filter)
  form.addEventListener('submit', (event) => event.preventDefault())
  addEventListener('hashchange', open)
  function open() {
    const target = location.hash && document.getElementById(location.hash.slice(1))
    const item = target && target.closest('details')
    if (!item) return
    item.hidden = false
    item.open = true
    target.focus()
  }
  form.hidden = false
  filter()
  open()
})()
`.trim()
