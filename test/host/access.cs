// Access lists on files of a system that has none, in Windows' own writing: what is not set is inherited.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.RegularExpressions;

namespace WinNodeHost
{
    /// The access list of a file goes with the file: it moves and disappears with it, and copies lack it.
    public static class AccessList
    {
        const string Attribute = "user.winnode.sddl";
        [DllImport("libc", SetLastError = true)]
        static extern int setxattr(string path, string name, byte[] value, UIntPtr size, int flags);
        [DllImport("libc", SetLastError = true)]
        static extern IntPtr getxattr(string path, string name, byte[] value, UIntPtr size);

        public static string Read(string path)
        {
            var buffer = new byte[4096];
            var length = (long)getxattr(path, Attribute, buffer, (UIntPtr)buffer.Length);
            return length < 0 ? "" : Encoding.UTF8.GetString(buffer, 0, (int)length);
        }
        public static void Write(string path, string sddl)
        {
            var bytes = Encoding.UTF8.GetBytes(sddl);
            if (setxattr(path, Attribute, bytes, (UIntPtr)bytes.Length, 0) != 0)
                throw new IOException("cannot keep an access list at " + path + ": error " + Marshal.GetLastWin32Error());
        }
    }

    /// What Get-Acl gives: only what System.Security.AccessControl.FileSystemSecurity has, too.
    public class FileSecurity
    {
        // As C:\ of Windows Server hands it down: every user makes folders and files in a new folder, and owns them.
        const string Drive = "D:(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)(A;OICI;0x1200a9;;;BU)(A;CI;LC;;;BU)(A;CIIO;DC;;;BU)(A;OICIIO;GA;;;CO)";
        // https://learn.microsoft.com/windows/security/identity-protection/access-control/security-identifiers
        const string TrustedInstaller = "S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464";
        static readonly HashSet<string> Brought = new HashSet<string> { "Windows", "ProgramData", "Program Files", "Users" };
        static readonly Regex Owner = new Regex("^O:([A-Z]{2}(?=[GD]:|$)|S[-0-9]+)");
        static readonly Regex Entry = new Regex(@"\([^)]*\)");
        static readonly Regex HandedDown = new Regex(@"\(([^;]*);(OI)?CI(IO)?(ID)?;([^)]*)\)");

        public string Sddl { get; private set; }

        /// Of a path on the drive that this folder is; the creator owns files without an owner.
        public static FileSecurity Of(string path, string drive, string maker)
        {
            var own = AccessList.Read(path);
            var list = own.Contains("D:") ? own : own + Inherited(path, drive);
            var owner = Owner.Match(list).Groups[1].Value;
            var below = path.TrimEnd('/').Substring(drive.Length).TrimStart('/');
            if (below == "") owner = TrustedInstaller;
            if (owner == "") owner = Brought.Contains(below) ? "SY" : maker;
            return new FileSecurity { Sddl = "O:" + owner + "G:SY" + Owner.Replace(list, "") };
        }

        public void SetSecurityDescriptorSddlForm(string sddl, string section)
        {
            switch (section)
            {
                case "Owner": Sddl = Owner.Replace(Sddl, Owner.Match(sddl).Value); break;
                case "Access": Sddl = Owner.Match(Sddl).Value + "G:SY" + Written(sddl); break;
                case "Owner, Access": Sddl = Owner.Match(sddl).Value + "G:SY" + Written(sddl); break;
                default: throw new ArgumentException("not built here: " + section);
            }
        }

        /// Windows writes PAI for P, and sorts by account.
        /// https://learn.microsoft.com/windows/win32/secauthz/security-descriptor-string-format
        static string Written(string sddl)
        {
            var entries = Entry.Matches(sddl).Select(one => one.Value)
                .OrderBy(one => one.Substring(one.LastIndexOf(';')), StringComparer.InvariantCultureIgnoreCase);
            return (sddl.Contains("D:P") ? "D:PAI" : "D:AI") + string.Concat(entries);
        }

        /// The entries that the nearest folder with its own list hands down; the entries of C:\ where none has one. CI alone
        /// reaches folders only. https://learn.microsoft.com/windows/win32/secauthz/ace-inheritance-rules
        static string Inherited(string path, string drive)
        {
            var list = Drive;
            for (var folder = Path.GetDirectoryName(path); folder != null && folder.Length >= drive.Length; folder = Path.GetDirectoryName(folder))
            {
                var own = AccessList.Read(folder);
                if (own.Contains("D:")) { list = own; break; }
            }
            var isFolder = Directory.Exists(path);
            var entries = HandedDown.Matches(list).Select(one => one.Groups).Where(one => isFolder || one[2].Success)
                // To a creator it only hands on; what he makes is his.
                .Select(one => "(" + one[1].Value + ";" + one[2].Value + "CI" + (one[5].Value.EndsWith(";CO") ? "IO" : "") + "ID;" + one[5].Value + ")");
            return "D:AI" + string.Concat(entries);
        }
    }
}
