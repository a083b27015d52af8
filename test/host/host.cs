// A registry as PowerShell's own provider offers it.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Collections.ObjectModel;
using System.Globalization;
using System.Linq;
using System.Management.Automation;
using System.Management.Automation.Provider;
using Microsoft.Win32;

namespace WinNodeHost
{
    /// What Get-Item gives for a key: only what Microsoft.Win32.RegistryKey has, too.
    public class RegistryKey
    {
        internal readonly SortedDictionary<string, RegistryValue> Values =
            new SortedDictionary<string, RegistryValue>(StringComparer.OrdinalIgnoreCase);
        internal bool Deleted;
        public string Name { get; set; }
        public string PSChildName { get { return Name.Substring(Name.LastIndexOf('\\') + 1); } }
        public string[] GetValueNames() { return Known().Keys.ToArray(); }
        public RegistryValueKind GetValueKind(string name)
        {
            if (!Known().ContainsKey(name)) throw new System.IO.IOException("The specified registry key does not exist.");
            return Values[name].Kind;
        }
        public object GetValue(string name) { return GetValue(name, null); }
        public object GetValue(string name, object fallback) { return GetValue(name, fallback, RegistryValueOptions.None); }
        public object GetValue(string name, object fallback, RegistryValueOptions options)
        {
            if (!Known().ContainsKey(name)) return fallback;
            var value = Values[name];
            bool expand = value.Kind == RegistryValueKind.ExpandString && options == RegistryValueOptions.None;
            return expand ? Environment.ExpandEnvironmentVariables((string)value.Data) : value.Data;
        }
        SortedDictionary<string, RegistryValue> Known()
        {
            if (!Deleted) return Values;
            throw new System.IO.IOException("Illegal operation attempted on a registry key that has been marked for deletion.");
        }
    }

    class RegistryValue
    {
        internal RegistryValueKind Kind;
        internal object Data;
    }

    public static class Registry
    {
        static SortedDictionary<string, RegistryKey> keys =
            new SortedDictionary<string, RegistryKey>(StringComparer.OrdinalIgnoreCase);
        /// Counts changes, so that a test can check that nothing was written.
        public static int Writes;

        public static string Normal(string path)
        {
            var text = path.Replace('/', '\\').Trim('\\');
            foreach (var root in new[] { "HKEY_LOCAL_MACHINE", "HKLM:" })
                if (text.StartsWith(root, StringComparison.OrdinalIgnoreCase)) text = text.Substring(root.Length);
            return text.Trim('\\');
        }
        public static bool Exists(string path) { var key = Normal(path); return key == "" || keys.ContainsKey(key); }
        public static RegistryKey Find(string path)
        {
            RegistryKey key;
            if (keys.TryGetValue(Normal(path), out key)) return key;
            return Normal(path) == "" ? new RegistryKey { Name = "HKEY_LOCAL_MACHINE" } : null;
        }
        public static RegistryKey Create(string path)
        {
            var name = "";
            foreach (var part in Normal(path).Split('\\'))
            {
                name = name == "" ? part : name + "\\" + part;
                if (!keys.ContainsKey(name)) { keys[name] = new RegistryKey { Name = "HKEY_LOCAL_MACHINE\\" + name }; Writes++; }
            }
            return keys[name];
        }
        public static void Remove(string path)
        {
            var name = Normal(path);
            var gone = keys.Keys.Where(k => k.Equals(name, StringComparison.OrdinalIgnoreCase)
                || k.StartsWith(name + "\\", StringComparison.OrdinalIgnoreCase)).ToArray();
            foreach (var key in gone) { keys[key].Deleted = true; keys.Remove(key); }
            Writes++;
        }
        public static object Get(string path, string name)
        {
            var key = Find(path);
            return key == null ? null : key.GetValue(name, null, RegistryValueOptions.DoNotExpandEnvironmentNames);
        }
        public static void Set(string path, string name, RegistryValueKind kind, object value)
        {
            Create(path).Values[name] = new RegistryValue { Kind = kind, Data = Convert(kind, value) };
            Writes++;
        }
        public static void Clear(string path, string name)
        {
            var key = Find(path);
            if (key != null && key.Values.Remove(name)) Writes++;
        }
        public static string[] Children(string path)
        {
            var start = Normal(path) == "" ? "" : Normal(path) + "\\";
            return keys.Keys.Where(k => k.StartsWith(start, StringComparison.OrdinalIgnoreCase)
                && k.Length > start.Length && k.IndexOf('\\', start.Length) < 0).ToArray();
        }
        static object Convert(RegistryValueKind kind, object value)
        {
            switch (kind)
            {
                case RegistryValueKind.DWord: return value == null ? 0 : Signed<int, uint>(value, v => unchecked((int)v));
                case RegistryValueKind.QWord: return value == null ? 0 : Signed<long, ulong>(value, v => unchecked((long)v));
                case RegistryValueKind.MultiString: return value == null ? new string[0] : To<string[]>(value);
                case RegistryValueKind.Binary: return value == null ? new byte[0] : To<byte[]>(value);
                default: return value == null ? "" : To<string>(value);
            }
        }
        static T To<T>(object value) { return (T)LanguagePrimitives.ConvertTo(value, typeof(T), CultureInfo.InvariantCulture); }
        /// As the real one: an unsigned number is taken too, and kept as the signed one of the same bits.
        static object Signed<T, U>(object value, Func<U, T> same)
        {
            try { return To<T>(value); } catch (PSInvalidCastException) { return same(To<U>(value)); }
        }
        /// Every value as one line of text, by its path.
        public static Hashtable Describe()
        {
            var lines = new Hashtable();
            foreach (var key in keys)
            {
                lines["registry " + key.Key] = "key";
                foreach (var value in key.Value.Values)
                    lines["registry " + key.Key + " " + value.Key] = value.Value.Kind + " " +
                        (value.Value.Data is string ? value.Value.Data : value.Value.Data is IEnumerable
                            ? string.Join(",", ((IEnumerable)value.Value.Data).Cast<object>()) : value.Value.Data);
            }
            return lines;
        }
        /// Plain data, to keep and to restore.
        public static object[] Export()
        {
            return keys.Select(k => (object)new object[] { k.Key,
                k.Value.Values.Select(v => (object)new object[] { v.Key, v.Value.Kind.ToString(), v.Value.Data }).ToArray() }).ToArray();
        }
        public static void Import(object[] data)
        {
            keys.Clear();
            foreach (var entry in data.Select(Plain))
            {
                var path = (string)Bare(entry[0]);
                Create(path);
                foreach (var value in Plain(entry[1]).Select(Plain))
                    Set(path, (string)Bare(value[0]), (RegistryValueKind)Enum.Parse(typeof(RegistryValueKind), (string)Bare(value[1])), value[2]);
            }
            Writes = 0;
        }
        static object Bare(object value) { return value is PSObject ? ((PSObject)value).BaseObject : value; }
        static object[] Plain(object value) { return ((IEnumerable)Bare(value)).Cast<object>().ToArray(); }
    }

    public class PropertyType
    {
        [Parameter] public RegistryValueKind Type { get; set; }
    }

    [CmdletProvider("Registry", ProviderCapabilities.ShouldProcess)]
    public class RegistryProvider : NavigationCmdletProvider, IDynamicPropertyCmdletProvider
    {
        protected override Collection<PSDriveInfo> InitializeDefaultDrives()
        {
            var drive = new PSDriveInfo("HKLM", ProviderInfo, "HKEY_LOCAL_MACHINE", "", null);
            return new Collection<PSDriveInfo> { drive };
        }
        protected override bool IsValidPath(string path) { return true; }
        protected override bool ItemExists(string path) { return Registry.Exists(path); }
        protected override bool IsItemContainer(string path) { return true; }
        protected override bool HasChildItems(string path) { return Registry.Children(path).Length > 0; }
        RegistryKey Known(string path)
        {
            var key = Registry.Find(path);
            if (key != null) return key;
            var problem = new ItemNotFoundException("Cannot find path 'HKLM:\\" + Registry.Normal(path) + "' because it does not exist.");
            WriteError(new ErrorRecord(problem, "PathNotFound", ErrorCategory.ObjectNotFound, path));
            return null;
        }
        protected override void GetItem(string path)
        {
            var key = Known(path);
            if (key != null) WriteItemObject(key, path, true);
        }
        protected override void GetChildItems(string path, bool recurse)
        {
            foreach (var child in Registry.Children(path)) WriteItemObject(Registry.Find(child), child, true);
        }
        protected override void GetChildNames(string path, ReturnContainers all)
        {
            foreach (var child in Registry.Children(path)) WriteItemObject(Registry.Find(child).PSChildName, child, true);
        }
        protected override void NewItem(string path, string type, object value)
        {
            if (!ShouldProcess(path, "New Item")) return;
            if (Registry.Exists(path))
            {
                if (!Force)
                {
                    var problem = new System.IO.IOException("A key in this path already exists.");
                    WriteError(new ErrorRecord(problem, "System.IO.IOException", ErrorCategory.ResourceExists, path));
                    return;
                }
                Registry.Remove(path);
            }
            var name = Registry.Normal(path);
            if (!Force && !Registry.Exists(name.Substring(0, Math.Max(0, name.LastIndexOf('\\')))))
            {
                var problem = new ArgumentException("The registry key at the specified path does not exist.");
                WriteError(new ErrorRecord(problem, "System.ArgumentException", ErrorCategory.InvalidArgument, path));
                return;
            }
            WriteItemObject(Registry.Create(path), path, true);
        }
        protected override void RemoveItem(string path, bool recurse)
        {
            if (ShouldProcess(path, "Remove Key")) Registry.Remove(path);
        }
        public void GetProperty(string path, Collection<string> names)
        {
            var key = Known(path);
            if (key == null) return;
            var found = new PSObject();
            foreach (var name in names == null || names.Count == 0 ? key.GetValueNames() : names.ToArray())
            {
                if (key.Values.ContainsKey(name)) found.Properties.Add(new PSNoteProperty(name, Unsigned(key.GetValue(name))));
                else Missing(path, name);
            }
            WritePropertyObject(found, path);
        }
        void Missing(string path, string name)
        {
            var problem = new PSArgumentException("Property " + name + " does not exist at path HKEY_LOCAL_MACHINE\\" + Registry.Normal(path) + ".");
            WriteError(new ErrorRecord(problem, "PropertyNotFound", ErrorCategory.InvalidArgument, path));
        }
        /// A property shows the number as it was meant; the key itself gives the signed one.
        static object Unsigned(object value)
        {
            if (value is int && (int)value < 0) return unchecked((uint)(int)value);
            if (value is long && (long)value < 0) return unchecked((ulong)(long)value);
            return value;
        }
        void Write(string path, string name, RegistryValueKind kind, object value)
        {
            try { Registry.Set(path, name, kind, value); }
            catch (InvalidCastException problem)
            {
                WriteError(new ErrorRecord(problem, problem.GetType().FullName, ErrorCategory.WriteError, path));
                return;
            }
            var written = new PSObject();
            written.Properties.Add(new PSNoteProperty(name, Unsigned(Registry.Find(path).GetValue(name))));
            WritePropertyObject(written, path);
        }
        /// Without a type: the type of the existing value, or the one that fits.
        static RegistryValueKind Kind(RegistryKey key, string name, object value)
        {
            if (key.Values.ContainsKey(name)) return key.Values[name].Kind;
            if (value is PSObject) value = ((PSObject)value).BaseObject;
            if (value is object[]) throw new ArgumentException("RegistryKey.SetValue does not support arrays of type 'Object[]'.");
            return value is int ? RegistryValueKind.DWord : value is long ? RegistryValueKind.QWord
                : value is byte[] ? RegistryValueKind.Binary : value is string[] ? RegistryValueKind.MultiString
                : RegistryValueKind.String;
        }
        public object GetPropertyDynamicParameters(string path, Collection<string> names) { return null; }
        public void SetProperty(string path, PSObject value)
        {
            var wish = DynamicParameters as PropertyType;
            foreach (var property in value.Properties)
            {
                var key = Known(path);
                if (key == null || !ShouldProcess(path, "Set Property")) return;
                var kind = wish != null && wish.Type != 0 ? wish.Type : Kind(key, property.Name, property.Value);
                Write(path, property.Name, kind, property.Value);
            }
        }
        public object SetPropertyDynamicParameters(string path, PSObject value) { return new PropertyType(); }
        public void ClearProperty(string path, Collection<string> names) { foreach (var name in names) Registry.Clear(path, name); }
        public object ClearPropertyDynamicParameters(string path, Collection<string> names) { return null; }
        public void NewProperty(string path, string name, string kind, object value)
        {
            var key = Known(path);
            if (key == null || !ShouldProcess(path, "New Property")) return;
            if (key.Values.ContainsKey(name) && !Force)
            {
                var problem = new System.IO.IOException("The property already exists.");
                WriteError(new ErrorRecord(problem, "System.IO.IOException", ErrorCategory.ResourceExists, path));
                return;
            }
            RegistryValueKind wanted;
            if (kind == null) wanted = Kind(key, name, value);
            else if (!Enum.TryParse(kind, true, out wanted))
            {
                var problem = new ArgumentException("Could not bind parameter 'Type'. Could not convert \"" + kind + "\" to \"Microsoft.Win32.RegistryValueKind\".");
                WriteError(new ErrorRecord(problem, "System.ArgumentException", ErrorCategory.InvalidArgument, kind));
                return;
            }
            Write(path, name, wanted, value);
        }
        public object NewPropertyDynamicParameters(string path, string name, string kind, object value) { return null; }
        public void RemoveProperty(string path, string name)
        {
            var key = Known(path);
            if (key == null) return;
            if (!key.Values.ContainsKey(name)) { Missing(path, name); return; }
            if (ShouldProcess(path, "Remove Property")) Registry.Clear(path, name);
        }
        public object RemovePropertyDynamicParameters(string path, string name) { return null; }
        public void RenameProperty(string path, string from, string to) { throw new PSNotSupportedException(); }
        public object RenamePropertyDynamicParameters(string path, string from, string to) { return null; }
        public void CopyProperty(string path, string name, string to, string toName) { throw new PSNotSupportedException(); }
        public object CopyPropertyDynamicParameters(string path, string name, string to, string toName) { return null; }
        public void MoveProperty(string path, string name, string to, string toName) { throw new PSNotSupportedException(); }
        public object MovePropertyDynamicParameters(string path, string name, string to, string toName) { return null; }
    }
}
