// The address of a page whose content comes from the server: it holds what is shown, also for the other language.

export function address(fields) {
  const here = new URL(location);
  Object.entries(fields).forEach(([name, value]) => here.searchParams.set(name, value));
  history.replaceState(null, '', here);
  const file = here.pathname.split('/').pop();
  document.querySelectorAll('.languages a').forEach(link => {
    here.searchParams.set('lang', link.lang);
    link.href = file.endsWith('.html') ? `../${link.lang}/${file}${here.search}` : here;
  });
}
