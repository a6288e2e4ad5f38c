//! Files of a crate depend on each other in one direction: a circle of files is read as one file, however
//! many it has.
//!
//! A file depends on another if it names an item that the other file defines; a name that a third file hands
//! on (`pub use`) stands for the file of the item. Tests do not count, nor do the roots of crates, which name
//! every module.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

/// Circles have no more files than this.
const MOST: usize = 3;

/// Folders whose files may depend on each other in larger circles, with the reason.
const LARGER: &[(&str, &str)] = &[(
    "frontend/src/parse",
    "declarations hold expressions, expressions hold types and statements: the parser recurses as C's grammar does",
)];

/// The crates, by their folders; the command line is that of the repository.
const CRATES: &[&str] =
    &["frontend", "ir", "host-jit", "ptx-emit", "ptx-isa", "ptx-sim", "runtime", "golden", "."];

/// Where a module is in its crate: `["passes", "fold"]`.
type Module = Vec<String>;

/// What a file defines and names.
#[derive(Default)]
struct Source {
    path: PathBuf,
    defines: BTreeSet<String>,
    /// Paths of names, as they are written.
    uses: Vec<Vec<String>>,
    /// Modules in files of their own that are tests.
    tests: Vec<String>,
    /// Modules of the crate directly below, by which paths may begin.
    children: BTreeSet<String>,
    /// How many modules within the file are open: their `super` leads to the file.
    depth: usize,
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let named = |name: syn::Ident| name == "test";
        attribute.path().is_ident("cfg") && attribute.parse_args::<syn::Ident>().is_ok_and(named)
    })
}

impl Source {
    fn used(&mut self, mut path: Vec<String>) {
        let supers = path.iter().take_while(|name| *name == "super").count();
        path.drain(..supers.min(self.depth));
        let first = path.first().map_or("", String::as_str);
        if matches!(first, "crate" | "super" | "self") || self.children.contains(first) {
            self.uses.push(path);
        }
    }

    fn used_tree(&mut self, tree: &syn::UseTree, path: &mut Vec<String>) {
        match tree {
            syn::UseTree::Path(inner) => {
                path.push(inner.ident.to_string());
                self.used_tree(&inner.tree, path);
                path.pop();
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.used_tree(tree, path));
            }
            syn::UseTree::Name(syn::UseName { ident })
            | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
                let is_module = ident == "self";
                let name = (!is_module).then(|| ident.to_string());
                self.used(path.iter().cloned().chain(name).collect());
            }
            syn::UseTree::Glob(_) => self.used(path.iter().cloned().chain(["*".to_owned()]).collect()),
        }
    }

    fn define(&mut self, name: &syn::Ident) {
        self.defines.insert(name.to_string());
    }
}

impl<'ast> Visit<'ast> for Source {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        match item {
            syn::Item::Const(item) => self.define(&item.ident),
            syn::Item::Enum(item) => self.define(&item.ident),
            syn::Item::Fn(item) => self.define(&item.sig.ident),
            syn::Item::Static(item) => self.define(&item.ident),
            syn::Item::Struct(item) => self.define(&item.ident),
            syn::Item::Trait(item) => self.define(&item.ident),
            syn::Item::Type(item) => self.define(&item.ident),
            syn::Item::Union(item) => self.define(&item.ident),
            // A macro defines the names that it is given.
            syn::Item::Macro(item) => {
                let words = item.mac.tokens.to_string();
                let names = words.split(|c: char| !c.is_alphanumeric() && c != '_').map(str::to_owned);
                self.defines.extend(names);
                self.defines.extend(item.ident.iter().map(syn::Ident::to_string));
            }
            _ => {}
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        match (&module.content, is_test(&module.attrs)) {
            (None, true) => self.tests.push(module.ident.to_string()),
            (None, false) | (Some(_), true) => {}
            (Some(_), false) => {
                self.depth += 1;
                visit::visit_item_mod(self, module);
                self.depth -= 1;
            }
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.used_tree(&item.tree, &mut Vec::new());
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.used(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, mac: &'ast syn::Macro) {
        // What a macro makes of its arguments is not known; a path in them is one wherever it stands.
        let words = mac.tokens.to_string().replace(" :: ", "::");
        let is_of_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
        for word in words.split(|c| !is_of_path(c)).filter(|word| word.contains("::")) {
            self.used(word.split("::").map(str::to_owned).collect());
        }
        visit::visit_macro(self, mac);
    }
}

/// A crate's files, by their modules.
struct Files(BTreeMap<Module, Source>);

impl Files {
    fn read(root: &Path) -> Files {
        let mut paths = BTreeMap::new();
        let mut folders = vec![(root.to_path_buf(), Module::new())];
        while let Some((folder, module)) = folders.pop() {
            for entry in std::fs::read_dir(&folder).expect("a folder of sources").flatten() {
                let path = entry.path();
                let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
                let mut inner = module.clone();
                if path.is_dir() {
                    inner.push(name);
                    folders.push((path, inner));
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    if !matches!(name.as_str(), "mod" | "lib" | "main") {
                        inner.push(name);
                    }
                    paths.insert(inner, path);
                }
            }
        }
        let mut files = BTreeMap::new();
        for (module, path) in &paths {
            let text = std::fs::read_to_string(path).expect("a source file");
            let tree = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            let below =
                paths.keys().filter(|other| other.len() == module.len() + 1 && other.starts_with(module));
            let children = below.filter_map(|other| other.last().cloned()).collect();
            let mut source = Source { path: path.clone(), children, ..Source::default() };
            source.visit_file(&tree);
            files.insert(module.clone(), source);
        }
        let is_tested_only = |module: &Module| {
            (1..=module.len()).any(|end| {
                let (name, above) = (&module[end - 1], &module[..end - 1]);
                files.get(above).is_some_and(|source| source.tests.contains(name))
            })
        };
        let tests: Vec<Module> = files.keys().filter(|module| is_tested_only(module)).cloned().collect();
        tests.iter().for_each(|module| _ = files.remove(module));
        Files(files)
    }

    /// A path from the root of the crate.
    fn absolute(&self, from: &Module, path: &[String]) -> Module {
        let supers = path.iter().take_while(|name| *name == "super").count();
        let (base, rest) = match path.first().map(String::as_str) {
            Some("crate") => (Module::new(), &path[1..]),
            Some("self") => (from.clone(), &path[1..]),
            _ => (from[..from.len().saturating_sub(supers)].to_vec(), &path[supers..]),
        };
        base.into_iter().chain(rest.iter().cloned()).collect()
    }

    /// The module whose file defines what a path from the root names.
    fn home(&self, path: &[String], handed_on: &mut Vec<(Module, String)>) -> Option<Module> {
        let end = (0..=path.len()).rev().find(|&end| self.0.contains_key(&path[..end]))?;
        let (module, source) = self.0.get_key_value(&path[..end])?;
        let Some(name) = path.get(end) else { return Some(module.clone()) };
        let step = (module.clone(), name.clone());
        if source.defines.contains(name) || handed_on.contains(&step) {
            return Some(module.clone());
        }
        handed_on.push(step);
        for used in &source.uses {
            let target = self.absolute(module, used);
            if used.last() == Some(name) && target != path {
                return self.home(&target, handed_on);
            }
            let whole = &target[..target.len().saturating_sub(1)];
            let is_glob = used.last().is_some_and(|last| last == "*");
            if is_glob && self.0.get(whole).is_some_and(|source| source.defines.contains(name)) {
                return Some(whole.to_vec());
            }
        }
        Some(module.clone())
    }

    /// The modules that each module depends on.
    fn edges(&self) -> HashMap<&Module, BTreeSet<Module>> {
        let of = |module: &Module, source: &Source| {
            let mut found = BTreeSet::new();
            for used in source.uses.iter().filter(|_| !module.is_empty()) {
                let target = self.absolute(module, used);
                let is_glob = target.last().is_some_and(|last| last == "*");
                let home = match is_glob {
                    true => {
                        Some(target[..target.len() - 1].to_vec()).filter(|whole| self.0.contains_key(whole))
                    }
                    false => self.home(&target, &mut Vec::new()),
                };
                found.extend(home.filter(|home| home != module));
            }
            found
        };
        self.0.iter().map(|(module, source)| (module, of(module, source))).collect()
    }

    /// The circles of files: modules that depend on each other, directly or not.
    fn circles(&self) -> Vec<Vec<&Source>> {
        let edges = self.edges();
        let reached_from = |start: &Module| {
            let mut reached = BTreeSet::new();
            let mut open: Vec<&Module> = vec![start];
            while let Some(module) = open.pop() {
                for next in edges.get(module).into_iter().flatten() {
                    if reached.insert(next) {
                        open.push(next);
                    }
                }
            }
            reached
        };
        let reached: BTreeMap<&Module, BTreeSet<&Module>> =
            self.0.keys().map(|module| (module, reached_from(module))).collect();
        let mut seen = BTreeSet::new();
        let mut circles = Vec::new();
        for (module, others) in &reached {
            let circle: Vec<&Module> =
                others.iter().copied().filter(|other| reached[*other].contains(*module)).collect();
            if circle.len() > 1 && circle.iter().all(|module| seen.insert(*module)) {
                circles.push(circle.into_iter().map(|module| &self.0[module]).collect());
            }
        }
        circles
    }
}

#[test]
fn files_depend_on_each_other_in_small_circles_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = 0;
    let mut wrong = Vec::new();
    for name in CRATES {
        let of_crate = Files::read(&root.join(name).join("src"));
        files += of_crate.0.len();
        for circle in of_crate.circles().into_iter().filter(|circle| circle.len() > MOST) {
            let paths: Vec<&Path> =
                circle.iter().map(|source| source.path.strip_prefix(root).unwrap_or(&source.path)).collect();
            let may_be = |folder: &str| paths.iter().all(|path| path.starts_with(folder));
            if !LARGER.iter().any(|(folder, _)| may_be(folder)) {
                let names: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
                wrong.push(format!("{} files: {}", names.len(), names.join(" ")));
            }
        }
    }
    assert!(files > 300, "only {files} files were found");
    assert!(wrong.is_empty(), "circles of more than {MOST} files:\n{}", wrong.join("\n"));
}

/// The check finds a circle that goes through a name handed on, and through a macro's arguments.
#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("a file");
    write("lib.rs", "mod a; mod b; mod c; mod d; pub use b::B; #[cfg(test)] mod tests;");
    write("a.rs", "use crate::B; pub struct A(B);");
    write("b.rs", "pub struct B; pub fn of() { println!(\"{}\", crate::c::number()) }");
    write("c.rs", "pub fn number() -> i32 { super::d::number() }");
    write("d.rs", "use super::a::A; pub fn number() -> i32 { 0 } #[cfg(test)] mod tests { use crate::e; }");
    write("tests.rs", "use crate::a::A;");
    let files = Files::read(folder.path());
    let circles = files.circles();
    let sizes: Vec<usize> = circles.iter().map(Vec::len).collect();
    assert_eq!((files.0.len(), sizes), (5, vec![4]));
}
