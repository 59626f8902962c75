'use strict';
(function () {
  const search = document.getElementById('search');
  const found = document.getElementById('found');
  const rows = Array.from(document.querySelectorAll('details[data-verdict]'));
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const boxes = Array.from(document.querySelectorAll('input[data-verdict]'));

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.dataset.verdict));
    let count = 0;
    rows.forEach((row, i) => {
      const match = shown.has(row.dataset.verdict) && words.every((word) => texts[i].includes(word));
      row.hidden = !match;
      if (match && !row.closest('#failures')) {
        count++;
      }
    });
    document.querySelectorAll('section[data-part]').forEach((part) => {
      part.hidden = !part.querySelector('details[data-verdict]:not([hidden])');
    });
    found.textContent = count + ' of ' + found.dataset.all;
  }

  function open(id) {
    const row = id && document.getElementById(id);
    if (row && row.tagName === 'DETAILS') {
      row.hidden = false;
      const part = row.closest('section[data-part]');
      if (part) {
        part.hidden = false;
      }
      row.open = true;
      row.querySelector('summary').focus();
      row.scrollIntoView({ block: 'center' });
    }
  }

  function step(by) {
    const visible = rows.filter((row) => !row.hidden && row.closest('#failures'));
    if (visible.length === 0) {
      return;
    }
    const at = visible.indexOf(document.activeElement && document.activeElement.closest('details'));
    const next = visible[(at + by + visible.length) % visible.length];
    open(next.id);
  }

  search.addEventListener('input', filter);
  boxes.forEach((box) => box.addEventListener('change', filter));
  window.addEventListener('hashchange', () => open(decodeURIComponent(location.hash.slice(1))));
  document.addEventListener('keydown', (event) => {
    const typing = event.target === search;
    if (event.key === 'Escape' && typing) {
      search.value = '';
      filter();
      search.blur();
    } else if (!typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      if (event.key === '/') {
        event.preventDefault();
        search.focus();
      } else if (event.key === 'n') {
        step(1);
      } else if (event.key === 'p') {
        step(-1);
      }
    }
  });
  window.addEventListener('beforeprint', () => {
    document.querySelectorAll('#failures details').forEach((row) => { row.open = true; });
  });
  filter();
  open(decodeURIComponent(location.hash.slice(1)));
})();
